/** Facts as bytes: how they cross threads and how the cache keeps them. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { FileFacts } from '../core/facts.ts'
import { type FileLinks, linksOf } from '../core/file-links.ts'

export interface KeptForm {
  readonly body: Uint8Array
  readonly links: FileLinks
}

export interface PackedFacts extends KeptForm {
  /** The facts as text, for who takes them now: to unpack what was just packed would cost the thread that waits. */
  readonly text: string
}

export function packFacts(facts: FileFacts): PackedFacts {
  const text = JSON.stringify(facts)
  return { body: Uint8Array.from(zstdCompressSync(text)), links: linksOf(facts), text }
}

export function takenFacts({ text }: PackedFacts): FileFacts {
  return JSON.parse(text) as FileFacts
}

export function unpackFacts(body: Uint8Array): FileFacts {
  return JSON.parse(zstdDecompressSync(body).toString('utf8')) as FileFacts
}
