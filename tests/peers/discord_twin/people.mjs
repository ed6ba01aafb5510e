// What people and the platform do on command: each deed is one function, and answers with JSON.

import { commandOf, componentOf } from './choosing.mjs'
import { keep } from './rest.mjs'
import { isEphemeral } from './world.mjs'

const EVERYDAY = '1071698660929'
const MANAGE_GUILD = 32n
const PUBLIC_THREAD = 11
const PRIVATE_THREAD = 12
const ROWS_AT_ONCE = 500

// A role that some have opens channels that @everyone does not see.
async function gated(world, guildId, places, { role: name, users, hides }) {
  const id = world.snowflake()
  await world.prisma.role.create({ data: { id, guildId, name, permissions: '0', position: 1 } })
  for (const userId of users) {
    const where = { guildId_userId: { guildId, userId } }
    await world.prisma.guildMember.update({ where, data: { roles: JSON.stringify([id]) } })
  }
  for (const place of places) if (hides.includes(place.name)) world.hide(place.id, guildId, id)
}

export const deeds = {
  // --- words ---

  async says(world, { channel, user, text, kind, reply_to: replyTo, attachments = [] }) {
    const files = attachments.map((file) => kept(world, file))
    world.coming = { ...(files.length ? { attachments: files } : {}), ...(kind ? { type: kind } : {}) }
    const reference = replyTo ? { message_id: replyTo, channel_id: channel, type: 0 } : undefined
    const message = { channelId: channel, userId: user, content: text, messageReference: reference }
    const { id } = await world.discord.simulateUserMessage(message)
    return { id }
  },

  async webhook_says(world, { channel, name, text }) {
    const hook = await world.newUser({ name, bot: true })
    world.coming = { webhook_id: hook.id }
    const message = { channelId: channel, userId: hook.id, content: text }
    const { id } = await world.discord.simulateUserMessage(message)
    return { id }
  },

  async edits(world, { message, text }) {
    const { channel_id: channelId } = known(world, message)
    await world.discord.simulateUserMessageEdit({ messageId: message, channelId, content: text })
  },

  async deletes(world, { message }) {
    const { channel_id: channelId } = known(world, message)
    await world.discord.simulateUserMessageDelete({ messageId: message, channelId })
  },

  async bulk_deletes(world, { messages }) {
    const { channel_id: channelId, guild_id: guildId } = known(world, messages[0])
    await world.prisma.message.deleteMany({ where: { id: { in: messages } } })
    for (const id of messages) world.messages.delete(id)
    world.publish('MESSAGE_DELETE_BULK', { ids: messages, channel_id: channelId, guild_id: guildId })
  },

  async types(world, { channel, user }) {
    const guildId = await guildOf(world, channel)
    const member = guildId ? await world.member(guildId, user) : undefined
    const at = Math.floor(Date.now() / 1000)
    const typing = { channel_id: channel, user_id: user, timestamp: at, member, guild_id: guildId }
    world.publish('TYPING_START', typing)
  },

  async reacts(world, { message, user, emoji }) {
    const { channel_id: channelId, guild_id: guildId } = known(world, message)
    await world.prisma.reaction.create({ data: { messageId: message, userId: user, emoji } })
    const member = guildId ? await world.member(guildId, user) : undefined
    const where = { channel_id: channelId, message_id: message, guild_id: guildId }
    const reaction = { user_id: user, emoji: { id: null, name: emoji }, member, type: 0, ...where }
    world.publish('MESSAGE_REACTION_ADD', reaction)
  },

  // --- places ---

  async opens(world, { guild, name, hidden = false, muted = false }) {
    const id = world.snowflake()
    await world.prisma.channel.create({ data: { id, guildId: guild, type: 0, name } })
    if (hidden) world.hide(id, guild)
    if (muted) world.mute(id, guild)
    world.publish('CHANNEL_CREATE', await world.channel(id))
    return { id, name, guild_id: guild, hidden }
  },

  async closes(world, { channel }) {
    const closed = await world.channel(channel)
    await world.prisma.channel.delete({ where: { id: channel } })
    world.publish('CHANNEL_DELETE', closed)
  },

  async threads(world, { channel, user, name, hidden = false }) {
    const { guild_id: guildId } = await world.channel(channel)
    const type = hidden ? PRIVATE_THREAD : PUBLIC_THREAD
    const id = world.snowflake()
    const place = { id, guildId, type, name, parentId: channel, ownerId: user, memberCount: 1 }
    await world.prisma.channel.create({ data: { ...place, archiveTimestamp: new Date() } })
    await world.prisma.threadMember.create({ data: { channelId: id, userId: user } })
    world.publish('THREAD_CREATE', { ...(await world.channel(id)), newly_created: true })
    return { id, name, guild_id: guildId, hidden }
  },

  async direct(world, { user }) {
    const id = await world.directWith(user)
    return { id, name: world.users.get(user).username, guild_id: null, hidden: true }
  },

  async joins(world, { name, channels, system, locale = 'en-US', gate }) {
    const id = world.snowflake()
    const ownerId = world.plan.users[0].id
    await world.prisma.guild.create({ data: { id, name, ownerId } })
    const everyone = { id, guildId: id, name: '@everyone', permissions: EVERYDAY }
    await world.prisma.role.create({ data: everyone })
    const members = [...world.users.keys()].map((userId) => ({ guildId: id, userId }))
    await world.prisma.guildMember.createMany({ data: members })
    const places = channels.map((each) => ({ id: world.snowflake(), guildId: id, type: 0, name: each }))
    await world.prisma.channel.createMany({ data: places })
    if (gate) await gated(world, id, places, gate)
    const greeting = places.find((each) => each.name === system)
    world.settings.set(id, { system_channel_id: greeting?.id ?? null, preferred_locale: locale })
    const { unavailable, ...joined } = (await world.guilds()).find((guild) => guild.id === id)
    world.publish('GUILD_CREATE', joined)
    return { id, name, channels: places.map(({ id: place, name: called }) => ({ id: place, name: called, guild_id: id, hidden: false })) }
  },

  leaves(world, { guild }) {
    world.left.add(guild)
    world.publish('GUILD_DELETE', { id: guild })
  },

  // Somebody who is in these guilds and in no other.
  async arrives(world, { name, guilds }) {
    const { id } = await world.newUser({ name })
    await world.prisma.guildMember.createMany({ data: guilds.map((guildId) => ({ guildId, userId: id })) })
    return { id, name }
  },

  // Somebody may manage a guild from now on, by a role of their own.
  async appoints(world, { guild, user }) {
    const id = world.snowflake()
    const permissions = String(BigInt(EVERYDAY) | MANAGE_GUILD)
    const role = { id, guildId: guild, name: `manager ${id}`, permissions, position: 1 }
    await world.prisma.role.create({ data: role })
    const { position, hoist, managed, mentionable } = await world.prisma.role.findUnique({ where: { id } })
    const told = { id, name: role.name, permissions, position, hoist, managed, mentionable, color: 0, flags: 0 }
    world.publish('GUILD_ROLE_CREATE', { guild_id: guild, role: told })
    const where = { guildId_userId: { guildId: guild, userId: user } }
    await world.prisma.guildMember.update({ where, data: { roles: JSON.stringify([id]) } })
  },

  // --- interactions ---

  async slash(world, { words, values, ...given }) {
    const where = await place(world, given.channel)
    const data = commandOf(world, where, { words, values })
    return interacted(world, where, { ...given, type: 2, data })
  },

  async complete(world, { words, values, focused, ...given }) {
    const where = await place(world, given.channel)
    const data = commandOf(world, where, { words, values, focused })
    return interacted(world, where, { ...given, type: 4, data })
  },

  async clicks(world, { message, component, values, ...given }) {
    const clicked = known(world, message)
    const { custom_id: customId, type: kind } = componentOf(clicked, component)
    const data = { custom_id: customId, component_type: kind, ...(values ? { values } : {}) }
    const where = await place(world, clicked.channel_id)
    return interacted(world, where, { ...given, type: 3, data, message })
  },

  // --- load ---

  async burst(world, { guild, messages, channels, users, text }, gateway) {
    const places = await burstPlaces(world, guild, channels)
    const began = performance.now()
    const ids = []
    for (let first = 0; first < messages; first += ROWS_AT_ONCE) {
      const count = Math.min(ROWS_AT_ONCE, messages - first)
      const made = Array.from({ length: count }, (_, at) => line(world, places, users, text, first + at))
      await world.prisma.message.createMany({ data: made.map(rowOf) })
      for (const message of made) ids.push(told(world, message))
      await gateway.drained()
    }
    return { ids, channels: places, took_ms: Math.round(performance.now() - began) }
  },
}

function kept(world, { name, content_type: type, base64 }) {
  return keep(world, { name, type, bytes: Buffer.from(base64, 'base64') })
}

function known(world, id) {
  const message = world.messages.get(id)
  if (!message) throw new Error(`there is no message ${id}`)
  return message
}

async function guildOf(world, channelId) {
  return (await world.channel(channelId)).guild_id
}

async function place(world, channelId) {
  const channel = await world.channel(channelId)
  return { channel, guildId: channel.guild_id }
}

async function interacted(world, { channel, guildId }, given) {
  const id = world.snowflake()
  const token = `interaction-${id}`
  const clicked = given.message ? known(world, given.message) : undefined
  const record = { id, token, type: given.type, at: Date.now(), message_id: given.message ?? null }
  world.interactions.set(id, { ...record, callbacks: [], followups: [], edits: [], original: null })
  const row = { interactionId: id, interactionToken: token, applicationId: world.botId, type: 0 }
  const data = { ...row, channelId: channel.id, messageId: given.message ?? null }
  await world.prisma.interactionResponse.create({ data })
  world.publish('INTERACTION_CREATE', {
    id,
    token,
    type: given.type,
    application_id: world.botId,
    data: given.data,
    channel_id: channel.id,
    channel,
    ...(clicked ? { message: world.dressed(clicked) } : {}),
    ...(await whoAsks(world, guildId, given)),
    ...SAME_FOR_ALL,
    locale: given.locale,
  })
  return { id }
}

// In a guild a member with its permissions asks; in a direct message just a user.
async function whoAsks(world, guildId, { user, permissions }) {
  if (!guildId) return { user: world.users.get(user), context: 1, authorizing_integration_owners: {} }
  const member = { ...(await world.member(guildId, user)), permissions: permissions ?? EVERYDAY }
  const owners = { 0: guildId }
  const locale = world.settings.get(guildId)?.preferred_locale ?? 'en-US'
  const about = { guild_id: guildId, guild_locale: locale, authorizing_integration_owners: owners }
  return { ...about, member, context: 0 }
}

const SAME_FOR_ALL = {
  version: 1,
  app_permissions: EVERYDAY,
  entitlements: [],
  attachment_size_limit: 26_214_400,
}

// --- the burst ---

async function burstPlaces(world, guild, count) {
  const names = Array.from({ length: count }, (_, at) => `burst-${at}`)
  const rows = await world.prisma.channel.findMany({ where: { guildId: guild, name: { in: names } } })
  const found = new Map(rows.map(({ name, id }) => [name, id]))
  const places = []
  for (const name of names) {
    const id = found.get(name) ?? (await deeds.opens(world, { guild, name })).id
    places.push({ id, name, guild_id: guild, hidden: false })
  }
  return places
}

function line(world, places, users, text, at) {
  const { id: channelId, guild_id: guildId } = places[at % places.length]
  const author = world.users.get(users[at % users.length])
  const timestamp = new Date()
  const content = text.replaceAll('{n}', String(at))
  return { id: world.snowflake(), channelId, guildId, author, timestamp, content }
}

function rowOf({ id, channelId, author, timestamp, content }) {
  return { id, channelId, authorId: author.id, timestamp, content }
}

function told(world, { id, channelId, guildId, author, timestamp, content }) {
  world.publish('MESSAGE_CREATE', {
    id,
    channel_id: channelId,
    guild_id: guildId,
    author,
    member: MEMBER,
    content,
    timestamp: timestamp.toISOString().replace('Z', '+00:00'),
    ...PLAIN,
  })
  return id
}

const MEMBER = { roles: [], joined_at: '2026-01-01T00:00:00+00:00', deaf: false, mute: false, flags: 0 }
const PLAIN = {
  edited_timestamp: null,
  tts: false,
  mention_everyone: false,
  mentions: [],
  mention_roles: [],
  attachments: [],
  embeds: [],
  pinned: false,
  type: 0,
}

// --- what was done ---

export const sights = {
  places(world) {
    const guilds = world.plan.guilds.map(({ id, name, channels }) => ({
      id,
      name,
      channels: channels.map((each) => ({ id: each.id, name: each.name, guild_id: id, hidden: each.private ?? false })),
    }))
    const users = world.plan.users.map(({ id, username, bot }) => ({ id, name: username, bot: bot ?? false }))
    return { guilds, users, bot: world.botId, token: world.token }
  },

  messages(world, { channel, author, ephemeral = false }) {
    return [...world.messages.values()]
      .filter((each) => each.channel_id === channel && (!author || each.author.id === author))
      .filter((each) => ephemeral || !isEphemeral(each))
      .map((each) => shown(world, each.id))
  },

  typings: (world, { channel }) => world.typings.filter((each) => each === channel),

  reactions: (world, { message }) =>
    world.prisma.reaction.findMany({ where: { messageId: message }, select: { userId: true, emoji: true } }),

  commands: (world, { guild }) => world.commands.get(guild ?? 'global') ?? [],

  syncs: (world) => world.synced,

  requests: (world, { method, path }) =>
    world.requests.filter((each) => (!method || each.method === method) && new RegExp(path ?? '').test(each.path)),

  interaction(world, { id }) {
    const { callbacks, followups, edits, original } = world.interactions.get(id)
    const said = [...new Set([original, ...followups].filter(Boolean))]
    const messages = said.filter((each) => world.messages.has(each)).map((each) => shown(world, each))
    const later = [...followups, ...edits]
    return { callbacks, followups, later, messages }
  },

  gateway: (_world, _args, gateway) => ({
    connections: gateway.connections,
    identifies: gateway.identifies,
    resumed: gateway.resumed,
    dropped: gateway.dropped,
    listening: gateway.listening(),
  }),
}

function shown(world, id) {
  return { ...world.dressed(world.messages.get(id)), allowed_mentions: world.extras.get(id)?.allowed_mentions ?? null }
}
