/** A reader of an agent server's terminal, and what runs in terminals as the system knows it. */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import WebSocket from 'ws'
import type { Answer, TestServer } from './agent-server.ts'
import { until } from './process-host.ts'

export interface TerminalClient {
  readonly socket: WebSocket
  /** All text so far. */
  readonly text: () => string
  readonly controls: { readonly cursor: number; readonly dropped?: number }[]
  /** Resolves with the code when the connection is closed. */
  readonly closed: Promise<number>
  /** Waits until the text so far matches. */
  shows(pattern: RegExp): Promise<void>
}

export async function createTerminal(server: TestServer, body: Record<string, unknown> = {}): Promise<string> {
  const created = await server.send('POST', '/api/pty', body)
  if (created.status !== 200) throw new Error(created.text)
  return created.body.data.id
}

/** A terminal that runs a line of shell. */
export function createShell(server: TestServer, line: string, more: Record<string, unknown> = {}): Promise<string> {
  return createTerminal(server, { command: '/bin/sh', args: ['-c', line], ...more })
}

export async function mintTicket(server: TestServer, id: string): Promise<string> {
  return (await server.send('POST', `/api/pty/${id}/connect-token`)).body.data.ticket
}

export function connectAddress(server: TestServer, id: string, ticket: string, query = ''): string {
  return `${server.address.replace('http', 'ws')}/api/pty/${id}/connect?ticket=${ticket}${query}`
}

/** Connects with a fresh ticket. */
export async function connectTerminal(server: TestServer, id: string, query = ''): Promise<TerminalClient> {
  const socket = new WebSocket(connectAddress(server, id, await mintTicket(server, id), query))
  let text = ''
  const controls: TerminalClient['controls'] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) controls.push(JSON.parse(data.toString('utf8', 1)))
    else text += data.toString('utf8')
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await once(socket, 'open')
  return {
    socket,
    text: () => text,
    controls,
    closed,
    shows: (pattern) => until(() => pattern.test(text)),
  }
}

/** What a request to become a WebSocket is refused with. */
export async function refusedUpgrade(
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Pick<Answer, 'status' | 'text'> & { readonly headers: Readonly<Record<string, unknown>> }> {
  const socket = new WebSocket(address, { headers })
  socket.on('error', () => undefined)
  return new Promise((resolve, reject) => {
    socket.on('open', () => reject(new Error('it was not refused')))
    socket.on('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += String(chunk)
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
    })
  })
}

/** Living processes of a session, by number: what runs in the terminal whose program has this number. */
export function processesOfSession(session: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [state, , , of] = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
        return Number(of) === session && state !== 'Z'
      } catch {
        return false
      }
    })
    .map(Number)
}
