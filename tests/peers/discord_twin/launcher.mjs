// Starts the Discord server that others wrote (npm `discord-digital-twin`), and in front of it what
// discord.py needs besides. Prints where it can be told what to do: one POST per deed, JSON both
// ways. It ends when its standard input is closed.

import http from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { Faults } from './faults.mjs'
import { Gateway } from './gateway.mjs'
import { deeds, sights } from './people.mjs'
import { Front } from './rest.mjs'
import { World } from './world.mjs'

const PLAN = {
  guilds: [
    { name: 'Lounge', channels: [{ name: 'lobby' }, { name: 'pet' }, { name: 'random' }, { name: 'staff', private: true }] },
    { name: 'Workshop', channels: [{ name: 'lobby' }, { name: 'tools' }, { name: 'board', private: true }] },
  ],
  users: [{ username: 'ana' }, { username: 'ben' }, { username: 'cleo' }, { username: 'robot', bot: true }],
}
const TOKEN = 'twin.token'

const installed = createRequire(join(process.env.EKO_PEERS, 'package.json'))
const load = (path) => import(pathToFileURL(path).href)
const twinPath = installed.resolve('discord-digital-twin')
const { DigitalDiscord } = await load(twinPath)
const serializers = await load(join(dirname(twinPath), 'serializers.js'))
const { WebSocketServer } = installed('ws')

let scene = await staged()
const open = new Set()
let port = 0
let door = await opened()

// A world at its beginning, with nothing wrong.
async function staged() {
  const world = new World({ DigitalDiscord, serializers, plan: structuredClone(PLAN), token: TOKEN })
  await world.start()
  const faults = new Faults()
  return { world, faults, gateway: new Gateway(world), front: new Front(world, faults) }
}

async function renewed() {
  for (const socket of open) socket.destroy()
  await scene.world.inTurn(() => scene.world.end())
  scene = await staged()
  named(scene)
}

function named({ world, gateway }) {
  world.url = `http://127.0.0.1:${port}`
  world.gatewayUrl = gateway.url = `ws://127.0.0.1:${port}/gateway`
}

// --- the door that clients come through ---

async function opened() {
  const server = http.createServer((request, response) => {
    scene.front.serve(request, response).catch((error) => {
      if (response.headersSent || request.socket.destroyed) return
      console.error(error)
      response.writeHead(500).end(JSON.stringify({ code: 0, message: String(error) }))
    })
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => scene.gateway.accept(client))
  })
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  port = server.address().port
  named(scene)
  return server
}

async function closed() {
  const done = new Promise((resolve) => door.close(resolve))
  for (const socket of open) socket.destroy()
  await done
}

// --- what can be asked besides deeds and sights ---

const troubles = {
  fails: ({ faults }, { rule }) => faults.add(rule),
  heals: ({ faults }) => faults.clear(),
  drops: ({ gateway }, { code }) => gateway.drop(code),
  hangs_up: ({ gateway }, { times }) => void (gateway.hangUps = times),
  refuses: ({ gateway }, { code, times }) => void gateway.refusals.push(...Array(times).fill(code)),
  resumes: ({ gateway }, { enabled }) => void (gateway.resumes = enabled),
  reads_content: ({ world }, { enabled }) => void (world.messageContent = enabled),
  answers_within: ({ world }, { seconds }) => void (world.answerWithinMs = seconds * 1000),
  raw: ({ gateway }, { text }) => gateway.tellRaw(text),
  event: ({ gateway }, { name, data }) => gateway.tellAll(name, data),
  again: ({ world, gateway }, { id }) => gateway.dispatch(world.told.get(id).event, world.told.get(id).data),
  loses: ({ gateway }, { guild }) => gateway.loses(guild),
  finds: ({ world, gateway }, { guild }) => world.inTurn(() => gateway.finds(guild)),
  damages: ({ world }, { message, fields }) => void world.damaged.set(message, fields),
  asks_to_reconnect: ({ gateway }) => gateway.askToReconnect(),
  away: () => closed(),
  back: async () => void (door = await opened()),
  renews: () => renewed(),
}

async function told({ what, at_least: wanted, timeout_ms: timeout = 0, key, ...args }) {
  const { world, gateway } = scene
  if (what in troubles) return troubles[what](scene, args)
  if (what in deeds) {
    return world.inTurn(() => {
      world.coming = {}
      return deeds[what](world, args, gateway)
    })
  }
  if (!(what in sights)) throw new Error(`nothing is called ${what}`)
  const look = () => world.inTurn(() => sights[what](world, args, gateway))
  return seen(look, { wanted, key, until: Date.now() + timeout })
}

// Looks again whenever something happened, until there is enough to see or the time is over.
async function seen(look, { wanted = 0, key, until }) {
  const { world } = scene
  for (;;) {
    const { happened } = world
    const found = await look()
    const part = key ? found[key] : found
    const count = typeof part === 'number' ? part : (part?.length ?? 0)
    if (count >= wanted || Date.now() >= until) return found
    await world.stirredSince(happened, until - Date.now())
  }
}

// What is asked; nothing where who asks goes away before it is said.
async function asked(request) {
  const chunks = []
  try {
    for await (const chunk of request) chunks.push(chunk)
  } catch {
    return null
  }
  return Buffer.concat(chunks).toString()
}

const control = http.createServer(async (request, response) => {
  const deed = await asked(request)
  if (deed === null) return
  const [status, body] = await told(JSON.parse(deed)).then(
    (result) => [200, result ?? null],
    (error) => [400, { error: String(error.message ?? error) }],
  )
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
})
control.listen(0, '127.0.0.1', () => {
  const where = { control: `http://127.0.0.1:${control.address().port}`, api: `${scene.world.url}/api/v10`, gateway: scene.gateway.url }
  console.log(JSON.stringify({ listening: where }))
})
process.stdin.on('end', () => process.exit(0)).resume()
