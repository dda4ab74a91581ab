import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import type { Digests, Timers } from '../../workers/gateway/ports.ts'

/** At once: the one-shot digest is far cheaper than the objects of the other interfaces, and digits than bytes. */
export const nodeDigests: Digests = {
  sha256Hex: (data) => hash('sha256', data, 'hex'),
  hmacSha256: (key, bytes) => hash('sha256', outerOf(key, bytes), 'buffer'),
  hmacSha256Hex: (key, text) => hash('sha256', outerOf(key, text), 'hex'),
}

const blockBytes = 64
const innerPad = 0x36
const outerPad = 0x5c
/** Written anew for each message: memory that is asked for costs more than the digest of what lies in it. */
const shortInner = Buffer.alloc(1_024)
const outer = Buffer.alloc(blockBytes + 32)

/** RFC 2104: what the outer digest is made of. */
function outerOf(key: Uint8Array, message: Uint8Array | string): Uint8Array {
  const short = key.length > blockBytes ? hash('sha256', key, 'buffer') : key
  const bytesMax = blockBytes + (typeof message === 'string' ? 3 : 1) * message.length
  const inner = bytesMax <= shortInner.length ? shortInner : Buffer.alloc(bytesMax)
  for (let index = 0; index < blockBytes; index += 1) {
    const byte = short[index] ?? 0
    inner[index] = byte ^ innerPad
    outer[index] = byte ^ outerPad
  }
  let end = blockBytes
  if (typeof message === 'string') end += inner.write(message, blockBytes)
  else {
    inner.set(message, blockBytes)
    end += message.length
  }
  outer.write(hash('sha256', inner.subarray(0, end), 'binary'), blockBytes, 'binary')
  return outer
}

/** Watches of a kind share a timer: one made and ended for each request costs more than what it is for. */
export function sharedWatch(): Timers['watch'] {
  const watches = new Map<number, Set<() => void>>()
  const begin = (ms: number) => {
    const tasks = new Set<() => void>()
    watches.set(ms, tasks)
    const interval = setInterval(() => {
      for (const task of tasks) task()
      if (tasks.size > 0) return
      clearInterval(interval)
      watches.delete(ms)
    }, ms)
    return tasks
  }
  return (ms, task) => {
    const tasks = watches.get(ms) ?? begin(ms)
    const own = () => task()
    tasks.add(own)
    return () => tasks.delete(own)
  }
}

export const machineFiles = {
  home: homedir(),
  async read(path: string): Promise<string | undefined> {
    try {
      return await readFile(path, 'utf8')
    } catch {
      return undefined
    }
  },
}
