/** The agent server as the program that people start, and followers of its sessions that read the bytes as they come. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promptNodeFlags } from '../../scripts/lean-process.mjs'
import { keptCode } from './kept-code.ts'

const svc = path.resolve(import.meta.dirname, '../../local/svc.mjs')

export interface AgentProgram {
  readonly child: ChildProcess
  readonly address: string
}

/** `folder` holds its data, its user's configuration and the folder `project`, which must be there. */
export async function startAgentProgram(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  /** A program that starts the server, with its arguments. */
  within: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<AgentProgram> {
  const [program = process.execPath, ...args] = [...within, process.execPath]
  const child = spawn(
    program,
    [...args, ...promptNodeFlags, svc, 'serve', '--data', path.join(folder, 'data'), ...flags],
    {
      cwd: path.join(folder, 'project'),
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        XDG_CONFIG_HOME: path.join(folder, 'config'),
        ...keptCode,
        ...environment,
      },
    },
  )
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    const address = /listening on (http:\/\/\S+)\n/.exec(output)?.[1]
    if (address !== undefined) return { child, address }
  }
  throw new Error(`the server did not start: ${output}`)
}

/** Ends it as a crash would, if it still runs. */
export async function killAgentProgram({ child }: AgentProgram): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

export async function residentMebibytes({ child }: AgentProgram): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
}

/** Once what is loaded ahead of its use is there, and nothing else comes. */
export async function steadyMebibytes(program: AgentProgram): Promise<number> {
  let last = 0
  for (let looks = 0; looks < 100; looks += 1) {
    const now = await residentMebibytes(program)
    if (Math.abs(now - last) < 0.5) return now
    last = now
    await delay(200)
  }
  throw new Error('the memory of the server does not come to rest')
}

export interface Follower {
  readonly socket: Socket
  /** Positions that have arrived, as they are in the id lines. */
  readonly seen: number[]
  /** What it was told when it had fallen behind: the last position before the gap. */
  lagged: number | undefined
}

/** Follows a session from its beginning, or from after a position. */
export async function followSession(address: string, session: string, after?: number): Promise<Follower> {
  const { hostname, port, host } = new URL(address)
  const socket = connect(Number(port), hostname)
  const follower: Follower = { socket, seen: [], lagged: undefined }
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('id: ')) follower.seen.push(Number(line.slice(line.indexOf(':', 4) + 1)))
      else if (line.includes('"server.stream.lagged"')) {
        follower.lagged = Number(/"lastCursor":"[^:]+:(\d+)"/.exec(line)?.[1] ?? -1)
      }
    }
  })
  const query = after === undefined ? '' : `?after=${after}`
  socket.write(`GET /api/session/${session}/event${query} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await once(socket, 'data')
  return follower
}
