// The twin, and what it does not keep: who sees a channel, mentions, replies, files, interactions.

import { EventEmitter, once } from 'node:events'

const REPEATABLE = new Set(['MESSAGE_CREATE', 'INTERACTION_CREATE'])
const EPOCH = 1420070400000n
const OWN_WORKER = 1n << 17n // the twin counts as worker 0
const REPLY = 19
export const EPHEMERAL = 64
const VIEW_CHANNEL = '1024'
const SEND_MESSAGES = '2048'
export const THREADS = [10, 11, 12]
const NONCE_MINUTES = 5
const MEMBERS_LIMITED = 1 << 15
const CONTENT_LIMITED = 1 << 19

export class World {
  constructor({ DigitalDiscord, serializers, plan, token }) {
    // What history says of some messages instead of the truth, by their ids.
    this.damaged = new Map()
    this.token = token
    this.serializers = serializers
    this.plan = plan
    this.files = new Map()
    this.extras = new Map()
    this.messages = new Map()
    this.users = new Map()
    this.overwrites = new Map()
    this.recipients = new Map()
    this.nonces = new Map()
    this.interactions = new Map()
    this.commands = new Map()
    this.synced = []
    this.typings = []
    this.requests = []
    this.left = new Set()
    this.settings = new Map()
    this.told = new Map()
    this.listeners = []
    this.messageContent = true
    this.answerWithinMs = 3000
    this.coming = {}
    this.happened = 0
    this.turn = Promise.resolve()
    this.stirs = new EventEmitter().setMaxListeners(0)
    this.discord = new DigitalDiscord(this.#seeds())
  }

  async start() {
    await this.discord.start()
    this.prisma = this.discord.prisma
    this.botId = this.discord.botUserId
    for (const user of await this.prisma.user.findMany()) this.#met(user)
    this.#closeDoors()
    // Every event of the twin passes through here, so that what it leaves out can be put in.
    this.discord.server.gateway.broadcast = (event, data) => this.publish(event, data)
  }

  // The database in memory outlives its connections, and the next world gets the same one.
  async end() {
    await this.discord.stop()
    for (const table of TABLES) await this.prisma[table].deleteMany()
    await this.prisma.$disconnect()
  }

  // One thing after the other, as the twin's database bears no two at once.
  inTurn(work) {
    const done = this.turn.then(work)
    this.turn = done.catch(() => {})
    return done
  }

  // --- identity ---

  snowflake() {
    const now = ((BigInt(Date.now()) - EPOCH) << 22n) | OWN_WORKER
    this.lastId = this.lastId !== undefined && now <= this.lastId ? this.lastId + 1n : now
    return this.lastId.toString()
  }

  async newUser({ name, bot = false }) {
    const id = this.snowflake()
    const data = { id, username: name, globalName: name, bot }
    return this.#met(await this.prisma.user.create({ data }))
  }

  #met(user) {
    const known = this.serializers.userToAPI(user)
    this.users.set(user.id, known)
    return known
  }

  // The flags of the application: the members intent always, the content intent when it is on.
  get flags() {
    return MEMBERS_LIMITED | (this.messageContent ? CONTENT_LIMITED : 0)
  }

  // --- events ---

  onEvent(listener) {
    this.listeners.push(listener)
  }

  publish(event, given) {
    const data = this.#kept(event, withoutEmptyGuild(given))
    this.stir()
    if (!data || isEphemeral(data)) return
    if (REPEATABLE.has(event)) this.told.set(data.id, { event, data })
    for (const listener of this.listeners) listener(event, data)
  }

  stir() {
    this.happened += 1
    this.stirs.emit('stir')
  }

  // Returns once something happened after the count was taken, or when the time is over.
  async stirredSince(happened, ms) {
    if (this.happened !== happened) return
    const signal = AbortSignal.timeout(Math.max(ms, 1))
    await once(this.stirs, 'stir', { signal }).catch(() => {})
  }

  #kept(event, data) {
    if (event === 'MESSAGE_CREATE') {
      this.extras.set(data.id, this.coming)
      this.coming = {}
      this.lastCreated = data.id
    }
    if (event === 'MESSAGE_CREATE' || event === 'MESSAGE_UPDATE') {
      this.messages.set(data.id, data)
      return this.dressed(data)
    }
    if (event === 'MESSAGE_DELETE') {
      const gone = this.messages.get(data.id)
      this.messages.delete(data.id)
      return isEphemeral(gone ?? {}) ? undefined : data
    }
    if (event.startsWith('MESSAGE_REACTION_')) return { ...data, type: 0, burst: false }
    return isChannel(data) ? this.dressedChannel(data) : data
  }

  // --- what the twin leaves out ---

  dressed(message) {
    const { allowed_mentions: allowed, ...fields } = this.extras.get(message.id) ?? {}
    const quoted = message.message_reference?.message_id
    const answered = quoted ? (this.messages.get(quoted) ?? null) : undefined
    const reply = quoted ? { type: REPLY, referenced_message: answered && this.#plain(answered) } : {}
    return {
      ...message,
      mentions: this.#mentions(message, allowed, answered),
      mention_everyone: /@(everyone|here)/.test(message.content) && allows(allowed, 'everyone'),
      ...reply,
      ...fields,
    }
  }

  #plain(message) {
    const { allowed_mentions: allowed, ...fields } = this.extras.get(message.id) ?? {}
    return { ...message, mentions: this.#mentions(message, allowed), ...fields }
  }

  #mentions(message, allowed, answered) {
    const named = [...message.content.matchAll(/<@!?(\d+)>/g)].map((match) => match[1])
    const ids = new Set(named.filter((id) => allows(allowed, 'users', id)))
    if (answered && (!allowed || allowed.replied_user)) ids.add(answered.author.id)
    return [...ids].filter((id) => this.users.has(id)).map((id) => this.users.get(id))
  }

  dressedChannel(channel) {
    if (channel.type === 1) {
      const recipients = [this.users.get(this.recipients.get(channel.id))]
      return { id: channel.id, type: 1, last_message_id: channel.last_message_id, recipients }
    }
    return { ...channel, permission_overwrites: this.overwrites.get(channel.id) ?? [] }
  }

  dressedAny(found) {
    if (Array.isArray(found)) return found.map((each) => this.dressedAny(each))
    if (found?.author && found.channel_id) return this.dressed(found)
    return isChannel(found) ? this.dressedChannel(found) : found
  }

  // --- places ---

  async guilds() {
    const { guilds } = await this.discord.loadGatewayState()
    return guilds.filter((guild) => !this.left.has(guild.id)).map((guild) => this.#asCreated(guild))
  }

  #asCreated({ apiGuild, joinedAt, members, channels }) {
    const dressed = channels.map((channel) => this.dressedChannel(channel))
    return {
      ...apiGuild,
      ...this.settings.get(apiGuild.id),
      joined_at: joinedAt,
      large: false,
      unavailable: false,
      member_count: members.length,
      members,
      channels: dressed.filter((channel) => !THREADS.includes(channel.type)),
      threads: dressed.filter((channel) => THREADS.includes(channel.type)),
      ...EMPTY_PARTS,
    }
  }

  async channel(id) {
    const row = await this.prisma.channel.findUniqueOrThrow({ where: { id } })
    return this.dressedChannel(this.serializers.channelToAPI(row))
  }

  async directWith(userId) {
    for (const [channelId, known] of this.recipients) if (known === userId) return channelId
    const id = this.snowflake()
    await this.prisma.channel.create({ data: { id, type: 1 } })
    this.recipients.set(id, userId)
    return id
  }

  async member(guildId, userId) {
    const where = { guildId_userId: { guildId, userId } }
    const row = await this.prisma.guildMember.findUnique({ where, include: { user: true } })
    return row && this.serializers.memberToAPI(row)
  }

  // Nobody but the bot, who has a right to it by a role or by owning the guild, and who has this one.
  hide(channelId, guildId, roleId) {
    this.overwrites.set(channelId, [
      { id: guildId, type: 0, allow: '0', deny: VIEW_CHANNEL },
      { id: this.botId, type: 1, allow: VIEW_CHANNEL, deny: '0' },
      ...(roleId ? [{ id: roleId, type: 0, allow: VIEW_CHANNEL, deny: '0' }] : []),
    ])
  }

  // Everybody sees it and writes nothing there, the bot included.
  mute(channelId, guildId) {
    this.overwrites.set(channelId, [{ id: guildId, type: 0, allow: '0', deny: SEND_MESSAGES }])
  }

  // --- nonces ---

  sentWith(channelId, nonce) {
    const sent = this.nonces.get(`${channelId}/${nonce}`)
    const fresh = sent && Date.now() - sent.at < NONCE_MINUTES * 60_000
    return fresh ? this.messages.get(sent.id) : undefined
  }

  remember(channelId, nonce, id) {
    this.nonces.set(`${channelId}/${nonce}`, { id, at: Date.now() })
  }

  // --- the plan ---

  #seeds() {
    const owner = this.plan.users[0]
    for (const user of this.plan.users) user.id = this.snowflake()
    for (const guild of this.plan.guilds) {
      guild.id = this.snowflake()
      guild.ownerId = owner.id
      for (const channel of guild.channels) Object.assign(channel, { id: this.snowflake(), type: 0 })
    }
    const botUser = { id: this.snowflake(), username: 'Eko' }
    return { ...this.plan, botUser, botToken: this.token }
  }

  #closeDoors() {
    for (const guild of this.plan.guilds) {
      for (const channel of guild.channels) if (channel.private) this.hide(channel.id, guild.id)
    }
  }
}

const TABLES = [
  'reaction',
  'threadMember',
  'message',
  'channel',
  'guildMember',
  'role',
  'guild',
  'user',
  'applicationCommand',
  'interactionResponse',
]

const EMPTY_PARTS = {
  voice_states: [],
  presences: [],
  stage_instances: [],
  guild_scheduled_events: [],
  soundboard_sounds: [],
}

// JSON with its snowflakes as text: as numbers they would lose their last digits.
export function parsed(text) {
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|\d{16,}/g, (part) =>
    part.startsWith('"') ? part : `"${part}"`,
  )
  return JSON.parse(quoted)
}

export function isEphemeral(data) {
  return ((data.flags ?? 0) & EPHEMERAL) !== 0 && data.author !== undefined
}

function isChannel(data) {
  return typeof data?.type === 'number' && 'position' in data && !('permissions' in data)
}

function withoutEmptyGuild(data) {
  const { guild_id: guild, ...rest } = data
  return guild ? data : rest
}

// Without `allowed_mentions` everything that is named is pinged, as Discord does.
function allows(allowed, kind, id) {
  if (!allowed) return true
  if (allowed.parse?.includes(kind)) return true
  return id !== undefined && (allowed[kind] ?? []).includes(id)
}
