// Starts programs for a larger process: to start one copies the process that does, and this one is small. The streams of a program
// are sockets that lead to the other process itself; what it reads of them, and how fast, passes nobody here.
// Plain JavaScript, without a package: what it loads is copied with each program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'

const [socketPath = ''] = process.argv.slice(2)
/** By the id it was asked for with; those that have ended are gone. */
const programs = new Map()

const say = (message) => void process.stdout.write(`${JSON.stringify(message)}\n`)

/** A stream of a program: its hello, which says whose and which, is on its way before the program has it. It is never read here. */
async function streamTo(id, descriptor) {
  const socket = connect(socketPath)
  socket.pause()
  await once(socket, 'connect')
  await new Promise((resolve) => socket.write(`${id}${descriptor}`, resolve))
  return socket
}

async function start({ id, program, args, options }) {
  let stdio = []
  const fail = ({ message, code }) => {
    programs.delete(id)
    say({ id, kind: 'failed', message, code })
  }
  try {
    stdio = await Promise.all(
      // The bytes of further ones come by messages: a program would not find these sockets in blocking mode.
      options.stdio.map((kind, at) => (kind === 'pipe' && at < 3 ? streamTo(id, at) : kind)),
    )
    const child = spawn(program, args, { ...options, stdio })
    for (const pipe of child.stdio.slice(3)) pipe?.on('error', () => undefined)
    child.on('error', fail)
    child.on('exit', (code, signal) => {
      programs.delete(id)
      say({ id, kind: 'ended', code, signal })
    })
    if (child.pid !== undefined) say({ id, kind: 'started', pid: child.pid })
    return child
  } catch (error) {
    fail(error)
    return undefined
  } finally {
    for (const one of stdio) if (typeof one === 'object') one.destroy()
  }
}

function signal({ pid, isLeader }, name) {
  try {
    if (pid !== undefined) process.kill(isLeader ? -pid : pid, name)
  } catch {
    // It is gone already.
  }
}

const doings = {
  start(message) {
    const child = start(message)
    programs.set(message.id, { child, isLeader: message.options.detached })
  },
  async write({ id, descriptor, text, isEnd }) {
    const pipe = (await programs.get(id)?.child)?.stdio[descriptor]
    if (text !== '') pipe?.write(text)
    if (isEnd) pipe?.end()
  },
  async signal({ id, name, isGroup }) {
    const pid = (await programs.get(id)?.child)?.pid
    signal({ pid, isLeader: isGroup }, name)
  },
}

let rest = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) {
    const message = JSON.parse(line)
    void doings[message.kind](message)
  }
})
// Whoever asked is no more, however it ended: nothing it asked for stays.
process.stdin.on('close', async () => {
  for (const { child, isLeader } of programs.values()) signal({ pid: (await child)?.pid, isLeader }, 'SIGKILL')
  rmSync(path.dirname(socketPath), { recursive: true, force: true })
  process.exit()
})
process.stdout.on('error', () => undefined)
say({ kind: 'ready' })
