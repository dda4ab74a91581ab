import { languageOf } from '../core/language-of.ts'
import { extractFile, prepareLanguages } from '../extract/extract-file.ts'
import { ExtractPool } from '../extract/pool.ts'
import { workerFilesMin } from '../limits.ts'
import { type PackedFacts, packFacts } from '../store/packed-facts.ts'
import type { SourceText } from './changes.ts'

export interface ExtractOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** Facts of many files, in worker threads where that pays. False: it was stopped. */
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
  if (sources.length < workerFilesMin) {
    await prepareLanguages(sources.flatMap((one) => languageOf(one.file.path) ?? []))
    for (const source of sources) {
      if (isStopped()) return false
      takeOne(source, packFacts(extractFile(source.file.path, source.text)))
    }
    return true
  }
  const pool = new ExtractPool()
  try {
    await pool.run(
      sources.map((one) => ({ path: one.file.path, text: one.text })),
      (index, facts) => {
        const source = sources[index]
        if (source !== undefined) takeOne(source, facts)
      },
      options.signal,
    )
  } finally {
    await pool.close()
  }
  return !isStopped()
}
