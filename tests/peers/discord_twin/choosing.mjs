// What a person can choose: a synced command with its options, a button or a menu of a message.

const SUBCOMMANDS = [1, 2]
const USER = 6
const CHANNEL = 7
const GUILD_CONTEXT = 0
const BOT_DM_CONTEXT = 1

// The data of an interaction for `settings get` and the values of its options, as Discord builds it.
export function commandOf(world, { guildId }, { words, values, focused }) {
  const [first, ...rest] = words.split(' ')
  const command = offered(world, guildId, first)
  const { steps, last } = descended(command, rest)
  const given = Object.entries(values ?? {}).map(([name, value]) => option(last, name, value, focused))
  if (!focused) demandAll(last, values ?? {})
  const options = steps.reduceRight((inner, { name, type }) => [{ name, type, options: inner }], given)
  return { id: command.id, name: command.name, type: 1, options, ...resolvedOf(world, given) }
}

function offered(world, guildId, name) {
  const local = guildId ? (world.commands.get(guildId) ?? []) : []
  const all = [...local, ...(world.commands.get('global') ?? [])]
  const command = all.find((each) => each.name === name && (each.type ?? 1) === 1)
  if (!command) throw new Error(`no command /${name} was synced: ${all.map((each) => each.name)}`)
  const context = guildId ? GUILD_CONTEXT : BOT_DM_CONTEXT
  const here = command.contexts ? command.contexts.includes(context) : guildId || command.dm_permission !== false
  if (!here) throw new Error(`/${name} is not offered in this place`)
  return command
}

function descended(command, words) {
  const steps = []
  let last = command
  for (const word of words) {
    last = (last.options ?? []).find((each) => each.name === word && SUBCOMMANDS.includes(each.type))
    if (!last) throw new Error(`/${command.name} has no subcommand ${word}`)
    steps.push(last)
  }
  return { steps, last }
}

function option(level, name, value, focused) {
  const known = (level.options ?? []).find((each) => each.name === name)
  if (!known) throw new Error(`/${level.name} has no option ${name}`)
  if (name === focused && !known.autocomplete) throw new Error(`${name} completes nothing`)
  if (known.choices?.length && name !== focused && !known.choices.some((each) => each.value === value)) {
    throw new Error(`${value} is not among the choices of ${name}`)
  }
  return { name, type: known.type, value, ...(name === focused ? { focused: true } : {}) }
}

function demandAll(level, values) {
  const missing = (level.options ?? []).filter((each) => each.required && !(each.name in values))
  if (missing.length) throw new Error(`/${level.name} needs ${missing.map((each) => each.name)}`)
}

function resolvedOf(world, given) {
  const users = given.filter(({ type }) => type === USER).map(({ value }) => [value, world.users.get(value)])
  const channels = given.filter(({ type }) => type === CHANNEL).map(({ value }) => [value, channelNamed(world, value)])
  if (!users.length && !channels.length) return {}
  return { resolved: { users: Object.fromEntries(users), channels: Object.fromEntries(channels) } }
}

function channelNamed(world, id) {
  const all = world.plan.guilds.flatMap(({ channels }) => channels)
  const { name } = all.find((each) => each.id === id)
  return { id, name, type: 0, permissions: '0' }
}

// The button or menu with this label or custom id, wherever it stands in the message.
export function componentOf(message, what) {
  const all = flattened(message.components ?? [])
  const found = all.find((each) => each.custom_id && [each.label, each.custom_id, each.placeholder].includes(what))
  if (!found) throw new Error(`nothing named ${what}: ${all.map((each) => each.label ?? each.custom_id)}`)
  if (found.disabled) throw new Error(`${what} is disabled`)
  return found
}

function flattened(components) {
  return components.flatMap((each) => {
    const inner = [...(each.components ?? []), ...(each.accessory ? [each.accessory] : [])]
    return [each, ...flattened(inner)]
  })
}
