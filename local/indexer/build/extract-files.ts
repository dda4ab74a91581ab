import { languageOf } from '../core/language-of.ts'
import { isShort } from '../core/text-shape.ts'
import { extractFile, prepareLanguages } from '../extract/extract-file.ts'
import { ExtractPool } from '../extract/pool.ts'
import { manyFilesMin, shortFileCharsMax, shortFileWordsMax } from '../limits.ts'
import { type PackedFacts, packFacts } from '../store/packed-facts.ts'
import type { SourceText } from './changes.ts'

export interface ExtractOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/**
 * Facts of many files. What is not surely harmless is read in a process of its own, and so are many files: that way they
 * are read side by side. Who takes the facts of a file may let go of its text. False: it was stopped.
 */
export async function extractFiles(
  sources: readonly SourceText[],
  options: ExtractOptions,
  take: (source: SourceText, facts: PackedFacts) => void,
): Promise<boolean> {
  let done = 0
  const takeOne = (source: SourceText, facts: PackedFacts): void => {
    take(source, facts)
    done += 1
    if (done % 16 === 0 || done === sources.length) options.onProgress?.(done, sources.length)
  }
  const isStopped = (): boolean => options.signal?.aborted === true
  const areMany = sources.length >= manyFilesMin
  const here = areMany ? [] : sources.filter((one) => isShort(one.text, shortFileWordsMax, shortFileCharsMax))
  const known = new Set(here)
  const apart = areMany ? sources : sources.filter((one) => !known.has(one))
  await prepareLanguages(here.flatMap((one) => languageOf(one.file.path) ?? []))
  for (const source of here) {
    if (isStopped()) return false
    takeOne(source, packFacts(extractFile(source.file.path, source.text)))
  }
  if (apart.length === 0) return true
  const pool = new ExtractPool(areMany)
  try {
    await pool.run(
      apart.map((source) => ({
        path: source.file.path,
        get text() {
          return source.text
        },
      })),
      (index, facts) => {
        const source = apart[index]
        if (source !== undefined) takeOne(source, facts)
      },
      options.signal,
    )
  } finally {
    pool.close()
  }
  return !isStopped()
}
