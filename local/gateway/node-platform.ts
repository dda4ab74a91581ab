import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import type { Digests, Timers } from '../../workers/gateway/ports.ts'

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')

/** At once: the one-shot digest is far cheaper than the objects of the other interfaces. */
export const nodeDigests: Digests = { sha256, sha256Hex: (data) => hash('sha256', data, 'hex'), hmacSha256 }

const blockBytes = 64
const innerPad = 0x36
const outerPad = 0x5c

/** RFC 2104. */
function hmacSha256(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const short = key.length > blockBytes ? sha256(key) : key
  const inner = new Uint8Array(blockBytes + bytes.length)
  const outer = new Uint8Array(blockBytes + 32)
  for (let index = 0; index < blockBytes; index += 1) {
    const byte = short[index] ?? 0
    inner[index] = byte ^ innerPad
    outer[index] = byte ^ outerPad
  }
  inner.set(bytes, blockBytes)
  outer.set(sha256(inner), blockBytes)
  return sha256(outer)
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
