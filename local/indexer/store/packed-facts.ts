/** Facts as bytes: how they cross threads and how the cache keeps them. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { FileFacts } from '../core/facts.ts'
import { type FileLinks, linksOf } from '../core/file-links.ts'

export interface PackedFacts {
  readonly body: Uint8Array
  readonly links: FileLinks
}

export function packFacts(facts: FileFacts): PackedFacts {
  return { body: Uint8Array.from(zstdCompressSync(JSON.stringify(facts))), links: linksOf(facts) }
}

export function unpackFacts(body: Uint8Array): FileFacts {
  return JSON.parse(zstdDecompressSync(body).toString('utf8')) as FileFacts
}
