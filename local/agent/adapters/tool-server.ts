/** One tool server over its standard input and output: requests and answers as JSON lines. */
import { spawn } from 'node:child_process'

export interface ToolServerOptions {
  readonly command: readonly string[]
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  readonly lineBytesMax: number
}

export interface ToolServerConnection {
  /** The result of a request; rejects when the server fails, goes away or takes too long. */
  request(method: string, params: unknown, timeoutMs: number, signal?: AbortSignal): Promise<unknown>
  notify(method: string, params: unknown): void
  readonly isOpen: boolean
  close(): void
}

interface Waiter {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

const killGraceMs = 2_000

export function connectToolServer(options: ToolServerOptions): ToolServerConnection {
  const [program = '', ...args] = options.command
  const child = spawn(program, args, {
    cwd: options.directory,
    env: { ...options.environment },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  const waiters = new Map<number, Waiter>()
  let isOpen = true
  let nextId = 1
  let rest = ''
  const end = (why: string) => {
    isOpen = false
    for (const waiter of waiters.values()) waiter.reject(new Error(why))
    waiters.clear()
  }
  const send = (message: object) => {
    if (isOpen) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  child.stdin.on('error', () => end('The tool server closed its input'))
  child.on('error', () => end('The tool server cannot be started'))
  child.on('exit', () => end('The tool server ended'))
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > options.lineBytesMax) {
      end('The tool server sent a line that is too long')
      kill()
      return
    }
    for (const line of lines) take(line)
  })

  function take(line: string): void {
    let message: { id?: unknown; method?: unknown; result?: unknown; error?: { message?: unknown } }
    try {
      message = JSON.parse(line)
    } catch {
      return
    }
    if (typeof message !== 'object' || message === null) return
    if (typeof message.method === 'string') {
      // A request of the server's own: nothing is offered to it, and it is told so.
      if (message.id !== undefined) send({ id: message.id, error: { code: -32_601, message: 'not offered' } })
      return
    }
    const waiter = typeof message.id === 'number' ? waiters.get(message.id) : undefined
    if (waiter === undefined || typeof message.id !== 'number') return
    waiters.delete(message.id)
    if (message.error === undefined) waiter.resolve(message.result)
    else waiter.reject(new Error(String(message.error.message ?? 'The tool server failed').slice(0, 1_000)))
  }

  /** Asked to end by the end of its input; what is left of its group is killed. */
  function kill(): void {
    if (child.pid === undefined) return
    const group = -child.pid
    child.stdin.end()
    const signalAll = (name: 'SIGTERM' | 'SIGKILL') => {
      try {
        process.kill(group, name)
      } catch {
        // The group is gone already.
      }
    }
    signalAll('SIGTERM')
    setTimeout(() => signalAll('SIGKILL'), killGraceMs).unref()
  }

  return {
    get isOpen() {
      return isOpen
    },
    notify: (method, params) => send({ method, params }),
    request(method, params, timeoutMs, signal) {
      if (!isOpen) return Promise.reject(new Error('The tool server is not running'))
      const id = nextId++
      return new Promise((resolve, reject) => {
        const stop = () => {
          waiters.delete(id)
          send({ method: 'notifications/cancelled', params: { requestId: id } })
          finish()
          reject(signal?.aborted === true ? (signal.reason as Error) : new Error('The tool server took too long'))
        }
        const timer = setTimeout(stop, timeoutMs)
        const finish = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', stop)
        }
        signal?.addEventListener('abort', stop, { once: true })
        waiters.set(id, {
          resolve: (result) => {
            finish()
            resolve(result)
          },
          reject: (error) => {
            finish()
            reject(error)
          },
        })
        send({ id, method, params })
      })
    },
    close() {
      end('The tool server was ended')
      kill()
    },
  }
}
