/** Messages as JSON lines over the standard input and output of a program, which leads a process group of its own. */
import { spawn } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { sayToolServerFault } from '../core/tool-server-fault.ts'

export interface ChildTransportOptions {
  readonly command: readonly string[]
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  readonly lineBytesMax: number
}

/** The program is in the way of its own messages. */
export class ChildFault extends Error {
  override readonly name = 'ChildFault'
  readonly kind: 'not_started' | 'input_closed'

  constructor(kind: ChildFault['kind']) {
    super(sayToolServerFault({ kind }))
    this.kind = kind
  }
}

const killGraceMs = 2_000

export function childTransport(options: ChildTransportOptions): Transport {
  const [program = '', ...args] = options.command
  let child: ReturnType<typeof start> | undefined
  let rest = ''

  const transport: Transport = {
    start() {
      child = start()
      const started = child
      return new Promise((resolve, reject) => {
        started.once('spawn', () => resolve())
        started.once('error', () => reject(new ChildFault('not_started')))
      })
    },
    send(message) {
      return new Promise((resolve, reject) => {
        const fail = () => reject(new ChildFault('input_closed'))
        if (child === undefined || !child.stdin.writable) fail()
        else child.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error == null ? resolve() : fail()))
      })
    },
    async close() {
      if (child !== undefined) endGroup(child)
      transport.onclose?.()
    },
  }

  function start() {
    const started = spawn(program, args, {
      cwd: options.directory,
      env: { ...options.environment },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    })
    started.stdin.on('error', () => undefined)
    started.on('error', () => transport.onclose?.())
    started.on('exit', () => transport.onclose?.())
    started.stdout.setEncoding('utf8')
    started.stdout.on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) take(line)
      if (rest.length > options.lineBytesMax) {
        rest = ''
        void transport.close()
      }
    })
    return started
  }

  function take(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      // Programs print what they like; only messages count.
      return
    }
    if (typeof message === 'object' && message !== null) transport.onmessage?.(message as JSONRPCMessage)
  }

  return transport
}

/** Asked to end by the end of its input; what is left of its group is killed. */
function endGroup(child: { readonly pid?: number | undefined; readonly stdin: { end(): unknown } }): void {
  const { pid } = child
  if (pid === undefined) return
  child.stdin.end()
  const signalAll = (name: 'SIGTERM' | 'SIGKILL') => {
    try {
      process.kill(-pid, name)
    } catch {
      // The group is gone already.
    }
  }
  signalAll('SIGTERM')
  setTimeout(() => signalAll('SIGKILL'), killGraceMs).unref()
}
