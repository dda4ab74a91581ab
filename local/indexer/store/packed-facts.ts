/** Facts as bytes: how they cross threads and how the cache keeps them. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { overgrown } from '../core/fact-parts.ts'
import type { FileFacts } from '../core/facts.ts'
import { type FileLinks, linksOf } from '../core/file-links.ts'
import type { GivenUp } from '../core/vocabulary.ts'
import { factDepthMax, factPartsMax, factsCharsMax } from '../limits.ts'

export interface KeptForm {
  readonly body: Uint8Array
  readonly links: FileLinks
}

export interface PackedFacts extends KeptForm {
  /** The facts as text, for who takes them now: to unpack what was just packed would cost the thread that waits. */
  readonly text: string
}

export function packFacts(facts: FileFacts): PackedFacts {
  const isTooMuch = overgrown(facts, { parts: factPartsMax, depth: factDepthMax })
  if (isTooMuch !== undefined) return packFacts(onlyName(facts, isTooMuch))
  const text = JSON.stringify(facts)
  if (text.length > factsCharsMax) return packFacts(onlyName(facts, 'too_many_facts'))
  return { body: Uint8Array.from(zstdCompressSync(text)), links: linksOf(facts), text }
}

export function takenFacts({ text }: PackedFacts): FileFacts {
  return JSON.parse(text) as FileFacts
}

export function unpackFacts(body: Uint8Array): FileFacts {
  return JSON.parse(zstdDecompressSync(body).toString('utf8')) as FileFacts
}

function onlyName(facts: FileFacts, givenUp: GivenUp): FileFacts {
  const { path, language, lines, generated, symbols, errors } = facts
  const nothing = { locals: [], references: [], imports: [], exports: [], routes: [] }
  return { path, language, lines, generated, symbols: symbols.slice(0, 1), ...nothing, errors, givenUp }
}
