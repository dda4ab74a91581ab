import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import type { ProofBounds } from '../../local/indexer/prove/watch-proof.ts'
import { type IndexPlace, indexPlace } from '../../local/indexer/store/index-folder.ts'
import { syncIndex } from '../../local/indexer/sync.ts'
import { type RunningViewer, startViewer } from '../../local/viewer/serve-viewer.ts'
import { quickFolder } from './memory-folder.ts'
import { unwrap } from './unwrap.ts'

export interface TestProject {
  readonly place: IndexPlace
  write(file: string, text: string): void
  remove(file: string): void
  sync(isFull?: boolean): ReturnType<typeof syncIndex>
  dispose(): void
}

let clockMs = 1_790_000_000_000

/** A project in a folder of its own, outside any repository. */
export function createProject(sources: Readonly<Record<string, string>>): TestProject {
  const root = mkdtempSync(path.join(quickFolder(), 'wharf-index-'))
  const place = indexPlace(root, undefined)
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  for (const [file, text] of Object.entries(sources)) write(file, text)
  return {
    place,
    write,
    remove: (file) => rmSync(path.join(root, file)),
    sync: (isFull = false) => {
      clockMs += 1000
      return syncIndex({ place, isFull, nowMs: clockMs, version: 'test' })
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  }
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a reply is judged by the test that reads it
  readonly body: any
}

export interface TestViewer {
  readonly running: RunningViewer
  get(target: string, headers?: Record<string, string>): Promise<Reply>
  send(method: string, target: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Bytes as given, answer as it came. */
  raw(request: string): Promise<string>
}

export async function serve(
  place: IndexPlace,
  options: { isReadOnly?: boolean; isWatchWanted?: boolean; proof?: Partial<ProofBounds> } = {},
): Promise<TestViewer> {
  const started = unwrap(
    await startViewer({
      place,
      port: 0,
      isReadOnly: options.isReadOnly ?? false,
      isWatchWanted: options.isWatchWanted ?? false,
      proof: options.proof,
      report: (message) => console.error(message),
    }),
  )
  const running = started
  const send = async (
    method: string,
    target: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    const response = await fetch(`${running.address}${target}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'GET' ? {} : { 'x-viewer-ui': '1' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
  }
  return {
    running,
    send,
    get: (target, headers) => send('GET', target, undefined, headers),
    raw: (request) =>
      new Promise((resolve, reject) => {
        const socket = net.connect(running.port, '127.0.0.1', () => socket.write(request, 'latin1'))
        let answer = ''
        socket.setEncoding('latin1')
        socket.on('data', (chunk: string) => {
          answer += chunk
        })
        socket.on('close', () => resolve(answer))
        socket.on('error', reject)
        socket.setTimeout(5000, () => socket.destroy())
      }),
  }
}
