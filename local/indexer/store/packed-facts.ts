/** Facts as bytes: how they cross threads and how the cache keeps them. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { FileFacts } from '../core/facts.ts'

export function packFacts(facts: FileFacts): Uint8Array {
  return Uint8Array.from(zstdCompressSync(JSON.stringify(facts)))
}

export function unpackFacts(packed: Uint8Array): FileFacts {
  return JSON.parse(zstdDecompressSync(packed).toString('utf8')) as FileFacts
}
