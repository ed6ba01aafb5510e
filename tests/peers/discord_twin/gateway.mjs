// The gateway in front of the twin's: sessions that can be resumed, cut, refused and disturbed.

import { randomUUID } from 'node:crypto'

import { parsed } from './world.mjs'

const INTENTS = {
  GUILD_MEMBERS: 1 << 1,
  GUILD_MESSAGES: 1 << 9,
  GUILD_MESSAGE_REACTIONS: 1 << 10,
  GUILD_MESSAGE_TYPING: 1 << 11,
  DIRECT_MESSAGES: 1 << 12,
  DIRECT_MESSAGE_REACTIONS: 1 << 13,
  DIRECT_MESSAGE_TYPING: 1 << 14,
  MESSAGE_CONTENT: 1 << 15,
}
const KEPT_FRAMES = 20_000
const HIGH_WATER = 4_000_000
const OPEN = 1

export class Gateway {
  constructor(world) {
    this.world = world
    this.sessions = new Map()
    this.sockets = new Set()
    this.resumes = false
    this.hangUps = 0
    this.refusals = []
    this.connections = 0
    this.identifies = []
    this.outages = new Set()
    this.resumed = 0
    this.dropped = 0
    world.onEvent((event, data) => this.dispatch(event, data))
  }

  accept(socket) {
    this.connections += 1
    this.sockets.add(socket)
    socket.on('close', () => this.#lost(socket))
    socket.on('error', () => {})
    if (this.hangUps > 0) {
      this.hangUps -= 1
      socket.terminate()
      return
    }
    say(socket, { op: 10, d: { heartbeat_interval: 41_250 } })
    socket.on('message', (raw) => this.#heard(socket, parsed(raw.toString())))
  }

  // --- what a client says ---

  async #heard(socket, { op, d }) {
    if (op === 1) say(socket, { op: 11 })
    if (op === 2) await this.world.inTurn(() => this.#identify(socket, d))
    if (op === 6) this.#resume(socket, d)
    if (op === 8) await this.world.inTurn(() => this.#members(socket, d))
  }

  async #identify(socket, { token, intents }) {
    const code = this.#refusal(token, intents)
    this.identifies.push({ intents, code, at: Date.now() })
    this.world.stir()
    if (code) return socket.close(code, 'refused')
    const guilds = await this.world.guilds()
    const session = { id: randomUUID(), sequence: 0, frames: [], intents, socket }
    this.#tell(session, 'READY', this.#ready(session, guilds))
    for (const guild of guilds.filter(({ id }) => !this.outages.has(id))) {
      this.#tell(session, 'GUILD_CREATE', this.#seenGuild(session, guild))
    }
    // Nothing else happens meanwhile, so nothing falls between these events and the next ones.
    this.sessions.set(session.id, session)
    this.world.stir()
  }

  #refusal(token, intents) {
    if (this.refusals.length) return this.refusals.shift()
    if (token.replace(/^Bot /, '') !== this.world.token) return 4004
    return intents & INTENTS.MESSAGE_CONTENT && !this.world.messageContent ? 4014 : undefined
  }

  #ready(session, guilds) {
    return {
      v: 10,
      user: { ...this.world.users.get(this.world.botId), verified: true, email: null },
      private_channels: [],
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: this.url,
      application: { id: this.world.botId, flags: this.world.flags },
    }
  }

  #resume(socket, { session_id: id, seq, token }) {
    const session = this.sessions.get(id)
    if (!this.resumes || !session || token.replace(/^Bot /, '') !== this.world.token) {
      return say(socket, { op: 9, d: false })
    }
    session.socket = socket
    this.resumed += 1
    for (const frame of session.frames) if (frame.s > seq) socket.send(frame.text)
    this.#tell(session, 'RESUMED', {})
    this.world.stir()
  }

  async #members(socket, { guild_id: guildId, user_ids: ids, query, nonce }) {
    const session = this.#of(socket)
    const guild = (await this.world.guilds()).find(({ id }) => id === String(guildId))
    if (!session || !guild) return
    const wanted = ids && [ids].flat().map(String)
    const members = guild.members.filter(({ user }) =>
      wanted ? wanted.includes(user.id) : user.username.startsWith(query ?? ''),
    )
    const chunk = { guild_id: guild.id, members, chunk_index: 0, chunk_count: 1, nonce }
    this.#tell(session, 'GUILD_MEMBERS_CHUNK', chunk)
  }

  // --- what it is told ---

  dispatch(event, data) {
    if (this.outages.has(String(data.guild_id))) return
    for (const session of this.sessions.values()) {
      const seen = this.#seen(session, event, data)
      if (seen) this.#tell(session, event, seen)
    }
  }

  #tell(session, t, d) {
    session.sequence += 1
    const s = session.sequence
    const text = JSON.stringify({ op: 0, t, s, d })
    session.frames.push({ s, text })
    if (session.frames.length > KEPT_FRAMES) session.frames.shift()
    if (session.socket?.readyState === OPEN) session.socket.send(text)
  }

  #seen(session, event, data) {
    const intent = intentOf(event, data)
    if (intent && !(session.intents & intent)) return undefined
    if (event === 'GUILD_CREATE') return this.#seenGuild(session, data)
    const isText = event === 'MESSAGE_CREATE' || event === 'MESSAGE_UPDATE'
    return isText && !this.#mayRead(session, data) ? { ...data, ...UNREADABLE } : data
  }

  // Without the content intent a bot reads direct messages, its mentions and its own words only.
  #mayRead(session, message) {
    return (
      session.intents & INTENTS.MESSAGE_CONTENT ||
      !message.guild_id ||
      message.author.id === this.world.botId ||
      message.mentions.some(({ id }) => id === this.world.botId)
    )
  }

  #seenGuild(session, guild) {
    if (session.intents & INTENTS.GUILD_MEMBERS) return guild
    const own = guild.members.filter(({ user }) => user.id === this.world.botId)
    return { ...guild, members: own }
  }

  // --- what goes wrong ---

  drop(code) {
    this.dropped += this.sockets.size
    for (const socket of this.sockets) {
      if (code === undefined) socket.terminate()
      else socket.close(code)
    }
  }

  tellRaw(text) {
    for (const { socket } of this.sessions.values()) socket?.send(text)
  }

  tellAll(event, data) {
    for (const session of this.sessions.values()) this.#tell(session, event, data)
  }

  // A guild that is not there: nothing of it is told until it is there again.
  loses(guild) {
    this.outages.add(guild)
    this.tellAll('GUILD_DELETE', { id: guild, unavailable: true })
  }

  async finds(guild) {
    this.outages.delete(guild)
    const found = (await this.world.guilds()).find(({ id }) => id === guild)
    for (const session of this.sessions.values()) {
      this.#tell(session, 'GUILD_CREATE', { ...this.#seenGuild(session, found), unavailable: false })
    }
  }

  askToReconnect() {
    for (const { socket } of this.sessions.values()) say(socket, { op: 7, d: null })
  }

  async drained() {
    const busy = () => [...this.sockets].some((socket) => socket.bufferedAmount > HIGH_WATER)
    do await new Promise((resolve) => setImmediate(resolve))
    while (busy())
  }

  listening() {
    return [...this.sessions.values()].filter(({ socket }) => socket?.readyState === OPEN).length
  }

  #of(socket) {
    return [...this.sessions.values()].find((session) => session.socket === socket)
  }

  #lost(socket) {
    this.sockets.delete(socket)
    const session = this.#of(socket)
    if (session && this.resumes) session.socket = undefined
    else if (session) this.sessions.delete(session.id)
    this.world.stir()
  }
}

const UNREADABLE = { content: '', attachments: [], embeds: [], components: [] }

function say(socket, frame) {
  if (socket?.readyState === OPEN) socket.send(JSON.stringify({ s: null, t: null, ...frame }))
}

function intentOf(event, { guild_id: guild }) {
  if (event.startsWith('MESSAGE_REACTION')) {
    return guild ? INTENTS.GUILD_MESSAGE_REACTIONS : INTENTS.DIRECT_MESSAGE_REACTIONS
  }
  if (event.startsWith('MESSAGE_')) {
    return guild ? INTENTS.GUILD_MESSAGES : INTENTS.DIRECT_MESSAGES
  }
  if (event === 'TYPING_START') {
    return guild ? INTENTS.GUILD_MESSAGE_TYPING : INTENTS.DIRECT_MESSAGE_TYPING
  }
  return event.startsWith('GUILD_MEMBER_') ? INTENTS.GUILD_MEMBERS : 0
}
