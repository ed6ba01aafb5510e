// What goes wrong on command: the next requests that match a rule are answered otherwise.

export class Faults {
  constructor() {
    this.rules = []
  }

  // A rule: method, path (a regular expression), times, and one of status, cut or only delay_ms.
  add(rule) {
    this.rules.push({ times: 1, ...rule, path: new RegExp(rule.path ?? '') })
  }

  clear() {
    this.rules = []
  }

  take(method, path) {
    const rule = this.rules.find((each) => each.times > 0 && matches(each, method, path))
    if (rule) rule.times -= 1
    return rule
  }
}

function matches(rule, method, path) {
  return (!rule.method || rule.method === method) && rule.path.test(path)
}

// The answer that a rule gives in place of the true one; discord.py believes a 429 only with `Via`.
export function failure({ status, retry_after: wait, code, message, global }) {
  if (status !== 429) return { status, body: { code: code ?? 0, message: message ?? 'scripted' } }
  const body = { message: 'You are being rate limited.', retry_after: wait, global: global ?? false }
  const headers = { 'Retry-After': String(Math.ceil(wait)), Via: '1.1 google' }
  return { status, body, headers }
}
