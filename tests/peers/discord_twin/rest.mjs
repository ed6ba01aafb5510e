// The REST interface in front of the twin's: faults, refusals, and the routes that it has not.

import { failure } from './faults.mjs'
import { EPHEMERAL, isEphemeral, parsed } from './world.mjs'

const API = '/api/v10'
const LONGEST = 2000
const OPEN = /^\/(gateway$|interactions\/|webhooks\/)/
const HIDDEN = new Set(['allowed_mentions', 'attachments', 'enforce_nonce'])

// Routes by method and path; `:name` is a segment. What is not here goes to the twin as it is.
const ROUTES = [
  ['GET', '/gateway', gateway],
  ['GET', '/gateway/bot', gateway],
  ['GET', '/oauth2/applications/@me', application],
  ['GET', '/applications/@me', application],
  ['GET', '/applications/:app/commands', listedCommands],
  ['PUT', '/applications/:app/commands', syncedCommands],
  ['GET', '/applications/:app/guilds/:guild/commands', listedCommands],
  ['PUT', '/applications/:app/guilds/:guild/commands', syncedCommands],
  ['POST', '/users/@me/channels', directChannel],
  ['GET', '/channels/:channel/messages', history],
  ['POST', '/channels/:channel/messages', sent],
  ['PATCH', '/channels/:channel/messages/:message', edited],
  ['POST', '/channels/:channel/messages/bulk-delete', bulkDeleted],
  ['POST', '/channels/:channel/typing', typed],
  ['POST', '/interactions/:interaction/:token/callback', calledBack],
  ['POST', '/webhooks/:app/:token', followedUp],
  ['PATCH', '/webhooks/:app/:token/messages/:message', followUpEdited],
].map(([method, path, handler]) => ({ method, pattern: patternOf(path), handler }))

export class Front {
  constructor(world, faults) {
    this.world = world
    this.faults = faults
  }

  async serve(request, response) {
    const url = new URL(request.url, 'http://loopback')
    if (url.pathname.startsWith('/attachments/')) return this.#file(url, response)
    const path = url.pathname.replace(API, '')
    const body = await bodyOf(request)
    const fault = this.faults.take(request.method, path)
    if (fault?.delay_ms) await new Promise((resolve) => setTimeout(resolve, fault.delay_ms))
    if (fault?.cut === 'before') return this.#cut(request, path)
    const asked = { method: request.method, path, url, ...body, headers: request.headers }
    const answer = fault?.status ? failure(fault) : await this.world.inTurn(() => this.#answer(asked))
    this.#note(request.method, path, answer.status)
    if (fault?.cut === 'after') return request.socket.destroy()
    reply(response, answer, bucketOf(request.method, path))
  }

  async #answer(asked) {
    this.world.coming = {}
    if (!this.#allowed(asked)) return problem(401, 0, '401: Unauthorized')
    for (const { method, pattern, handler } of ROUTES) {
      const match = method === asked.method && pattern.exec(asked.path)
      if (match) return handler(this.world, { ...asked, ...match.groups })
    }
    return forwarded(this.world, asked)
  }

  #allowed({ path, headers }) {
    return OPEN.test(path) || headers.authorization === `Bot ${this.world.token}`
  }

  #cut(request, path) {
    this.#note(request.method, path, 0)
    request.socket.destroy()
  }

  #note(method, path, status) {
    this.world.requests.push({ method, path, status })
    this.world.stir()
  }

  #file(url, response) {
    const found = this.world.files.get(url.pathname.split('/')[2])
    response.writeHead(found ? 200 : 404, { 'content-type': found?.type ?? 'text/plain' })
    response.end(found?.bytes)
  }
}

// --- handlers ---

function gateway(world) {
  const limits = { total: 1000, remaining: 999, reset_after: 14_400_000, max_concurrency: 1 }
  return ok({ url: world.gatewayUrl, shards: 1, session_start_limit: limits })
}

function application(world) {
  const bot = world.users.get(world.botId)
  const owner = world.users.get(world.plan.users[0].id)
  return ok({
    id: world.botId,
    name: bot.username,
    icon: null,
    description: '',
    summary: '',
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: 'key',
    team: null,
    owner,
    bot,
    flags: world.flags,
  })
}

function listedCommands(world, { guild }) {
  return ok(world.commands.get(guild ?? 'global') ?? [])
}

async function syncedCommands(world, asked) {
  const answer = await forwarded(world, asked)
  if (answer.status !== 200) return answer
  const full = answer.body.map((made, at) => ({ ...asked.json[at], ...made }))
  world.commands.set(asked.guild ?? 'global', full)
  world.synced.push({ guild_id: asked.guild ?? null, names: full.map(({ name }) => name) })
  world.stir()
  return ok(full)
}

async function directChannel(world, { json }) {
  return ok(await world.channel(await world.directWith(String(json.recipient_id))))
}

async function history(world, asked) {
  const { searchParams: query } = asked.url
  const answer = await forwarded(world, asked)
  if (answer.status !== 200) return answer
  // Newest first, whatever was asked for: the twin turns it around for `after`.
  const newestFirst = answer.body.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
  const damaged = (each) => ({ ...each, ...world.damaged.get(each.id) })
  return ok(newestFirst.filter((each) => !isEphemeral(each)).map(damaged).slice(0, query.get('limit') ?? 50))
}

async function sent(world, asked) {
  const { json, channel } = asked
  const refused = refusal(asked) ?? unknownReply(world, json)
  if (refused) return refused
  const before = json.enforce_nonce ? world.sentWith(channel, json.nonce) : undefined
  if (before) return ok(world.dressed(before))
  const answer = await created(world, asked)
  if (answer.status === 200 && json.nonce) world.remember(channel, json.nonce, answer.body.id)
  return answer
}

async function edited(world, asked) {
  const known = world.messages.get(asked.message)
  if (known && known.author.id !== world.botId) return problem(403, 50005, 'Cannot edit a message authored by another user')
  return refusal(asked, { mayBeEmpty: true }) ?? changed(world, asked, asked.message)
}

async function bulkDeleted(world, { json, channel }) {
  await world.prisma.message.deleteMany({ where: { id: { in: json.messages } } })
  for (const id of json.messages) world.messages.delete(id)
  const { guild_id: guildId } = await world.channel(channel)
  world.publish('MESSAGE_DELETE_BULK', { ids: json.messages, channel_id: channel, guild_id: guildId })
  return { status: 204 }
}

function typed(world, asked) {
  world.typings.push(asked.channel)
  return forwarded(world, asked)
}

async function calledBack(world, asked) {
  const interaction = world.interactions.get(asked.interaction)
  if (!interaction || isLate(world, interaction)) return problem(404, 10062, 'Unknown interaction')
  const { type, data } = asked.json
  const refused = interaction.callbacks.length === 0 ? refusal({ ...asked, json: data ?? {} }, { mayBeEmpty: type !== 4 }) : undefined
  if (refused) return refused
  if (type === 7) noteChanges(world, asked, interaction.message_id)
  else world.coming = extrasOf(world, { ...asked, json: data ?? {} })
  const answer = await forwarded(world, asked)
  if (answer.status !== 204) return answer
  interaction.callbacks.push({ type, data: data ?? null })
  await settle(world, interaction, type)
  world.stir()
  return asked.url.searchParams.has('with_response') ? ok(callbackOf(world, interaction, type)) : answer
}

// What `@original` means from here on: the new message, none yet, or the one that was clicked.
async function settle(world, interaction, type) {
  if (type === 4) interaction.original = world.lastCreated
  if (type === 6 || type === 7) interaction.original = interaction.message_id
  if (type === 5) {
    const where = { interactionId: interaction.id }
    await world.prisma.interactionResponse.update({ where, data: { messageId: null } })
  }
}

function callbackOf(world, interaction, type) {
  const shown = world.messages.get(interaction.original)
  const message = shown && (type === 4 || type === 7) ? world.dressed(shown) : undefined
  return {
    interaction: {
      id: interaction.id,
      type: interaction.type,
      response_message_id: interaction.original,
      response_message_loading: type === 5,
      response_message_ephemeral: ((interaction.callbacks[0].data?.flags ?? 0) & EPHEMERAL) !== 0,
    },
    resource: message ? { type, message } : undefined,
  }
}

async function followedUp(world, asked) {
  const interaction = interactionOf(world, asked.token)
  if (!interaction?.callbacks.length) return problem(404, 10015, 'Unknown Webhook')
  const refused = refusal(asked)
  if (refused) return refused
  const fills = isWaiting(interaction)
  if (fills) asked.json.flags = deferredFlags(interaction, asked.json)
  const answer = await created(world, asked)
  if (answer.status === 200) await heard(world, interaction, answer.body.id, fills)
  return answer
}

async function followUpEdited(world, asked) {
  const interaction = interactionOf(world, asked.token)
  if (!interaction?.callbacks.length) return problem(404, 10015, 'Unknown Webhook')
  const refused = refusal(asked, { mayBeEmpty: true })
  if (refused) return refused
  const isOriginal = decodeURIComponent(asked.message) === '@original'
  if (isOriginal && isWaiting(interaction)) {
    asked.json.flags = deferredFlags(interaction, asked.json)
    const answer = await created(world, asked)
    if (answer.status === 200) await heard(world, interaction, answer.body.id, true)
    return answer
  }
  const id = isOriginal ? interaction.original : asked.message
  const answer = await changed(world, asked, id)
  if (answer.status === 200) interaction.edits.push(id)
  world.stir()
  return answer
}

async function heard(world, interaction, messageId, fills) {
  interaction.followups.push(messageId)
  if (fills) {
    interaction.original = messageId
    const where = { interactionId: interaction.id }
    await world.prisma.interactionResponse.update({ where, data: { messageId } })
  }
  world.stir()
}

function isWaiting(interaction) {
  return interaction.callbacks[0].type === 5 && !interaction.original
}

function deferredFlags(interaction, json) {
  const ephemeral = (interaction.callbacks[0].data?.flags ?? 0) & EPHEMERAL
  return ((json.flags ?? 0) & ~EPHEMERAL) | ephemeral
}

function interactionOf(world, token) {
  return [...world.interactions.values()].find((each) => each.token === token)
}

function isLate(world, interaction) {
  return Date.now() - interaction.at > world.answerWithinMs
}

// --- messages ---

async function created(world, asked) {
  world.coming = extrasOf(world, asked)
  return forwarded(world, asked)
}

async function changed(world, asked, messageId) {
  noteChanges(world, asked, messageId)
  return forwarded(world, asked)
}

function noteChanges(world, asked, messageId) {
  const data = asked.json.data ?? asked.json
  const kept = world.extras.get(messageId) ?? {}
  const stays = (kept.attachments ?? []).filter(({ id }) => data.attachments?.some((each) => String(each.id) === id))
  const fresh = extrasOf(world, { ...asked, json: data })
  const files = data.attachments ? { attachments: [...stays, ...(fresh.attachments ?? [])] } : {}
  world.extras.set(messageId, { ...kept, ...fresh, ...files })
}

function extrasOf(world, { json, files }) {
  const attachments = files.map(({ index, ...file }) => {
    const described = json.attachments?.find((each) => String(each.id) === index)
    return keep(world, { ...file, description: described?.description })
  })
  return {
    ...(json.allowed_mentions ? { allowed_mentions: json.allowed_mentions } : {}),
    ...(attachments.length ? { attachments } : {}),
  }
}

// An attachment: its bytes are served from loopback for as long as the world lasts.
export function keep(world, { name, type, bytes, description }) {
  const id = world.snowflake()
  world.files.set(id, { bytes, type })
  const url = `${world.url}/attachments/${id}/${encodeURIComponent(name)}`
  const described = description ? { description } : {}
  return { id, filename: name, size: bytes.length, content_type: type, url, proxy_url: url, ...described }
}

function refusal({ json, files }, { mayBeEmpty = false } = {}) {
  const content = json.content ?? ''
  if ([...content].length > LONGEST) {
    const error = { code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${LONGEST} or fewer in length.` }
    return problem(400, 50035, 'Invalid Form Body', { content: { _errors: [error] } })
  }
  const full = content.trim() || files.length || json.embeds?.length || json.components?.length
  return full || mayBeEmpty ? undefined : problem(400, 50006, 'Cannot send an empty message')
}

function unknownReply(world, json) {
  const reference = json.message_reference
  if (!reference || world.messages.has(String(reference.message_id))) return undefined
  if (reference.fail_if_not_exists === false) {
    delete json.message_reference
    return undefined
  }
  const error = { code: 'REPLIES_UNKNOWN_MESSAGE', message: 'Unknown message' }
  return problem(400, 50035, 'Invalid Form Body', { message_reference: { _errors: [error] } })
}

// --- the way to the twin ---

async function forwarded(world, { method, path, url, json }) {
  const target = `http://127.0.0.1:${world.discord.port}${API}${path}${url.search}`
  const body = json === undefined ? undefined : JSON.stringify(bare(json))
  const headers = body ? { 'content-type': 'application/json' } : {}
  const answer = await fetch(target, { method, body, headers })
  if (answer.status === 204) return { status: 204 }
  const text = await answer.text()
  return { status: answer.status, body: world.dressedAny(JSON.parse(text)) }
}

function bare(json) {
  if (Array.isArray(json) || json === null || typeof json !== 'object') return json
  const kept = Object.entries(json).filter(([name]) => !HIDDEN.has(name))
  const plain = Object.fromEntries(kept)
  if (plain.content === null) plain.content = ''
  if (plain.data) plain.data = bare(plain.data)
  return plain
}

async function bodyOf(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data')) return multipart(bytes, type)
  return { json: bytes.length ? parsed(bytes.toString()) : undefined, files: [] }
}

async function multipart(bytes, type) {
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const files = []
  for (const [field, part] of form) {
    if (typeof part === 'string') continue
    const index = /\d+/.exec(field)?.[0] ?? '0'
    const content = Buffer.from(await part.arrayBuffer())
    files.push({ index, name: part.name, type: part.type, bytes: content })
  }
  return { json: parsed(form.get('payload_json') ?? '{}'), files }
}

// --- answers ---

function ok(body) {
  return { status: 200, body }
}

function problem(status, code, message, errors) {
  return { status, body: { code, message, ...(errors ? { errors } : {}) } }
}

function reply(response, { status, body, headers }, bucket) {
  const limits = {
    'X-RateLimit-Limit': '1000',
    'X-RateLimit-Remaining': '999',
    'X-RateLimit-Reset': String(Date.now() / 1000 + 1),
    'X-RateLimit-Reset-After': '1',
    'X-RateLimit-Bucket': bucket,
  }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  response.writeHead(status, { ...type, ...limits, ...headers })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}

function bucketOf(method, path) {
  return `${method} ${path.replace(/\d{5,}/g, ':id')}`.replace(/[^\w:/@ -]/g, '').slice(0, 80)
}

function patternOf(path) {
  return new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
}
