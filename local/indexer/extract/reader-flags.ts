/** How a process that reads files is started, by what there is to read. */
import { languageFamily, languageOf } from '../core/language-of.ts'
import { extractHeapMbMax, extractOldHeapMb, extractYoungHeapMb, quickGrammarCharsMax } from '../limits.ts'

export function readerFlags(tasks: readonly { readonly path: string; readonly text: string }[]): string[] {
  // Scripts have a parser that is compiled already.
  let grammarChars = 0
  for (const { path, text } of tasks) {
    const language = languageOf(path)
    if (language !== undefined && languageFamily(language) !== 'script') grammarChars += text.length
  }
  return [
    `--max-old-space-size=${extractHeapMbMax}`,
    `--min-semi-space-size=${extractYoungHeapMb}`,
    `--max-semi-space-size=${extractYoungHeapMb}`,
    `--initial-old-space-size=${extractOldHeapMb}`,
    // The other process reads meanwhile: helpers would wait for a core longer than they help. And nobody waits for an
    // answer that a collection in many steps would let through.
    '--single-threaded-gc',
    '--no-incremental-marking',
    ...(grammarChars <= quickGrammarCharsMax ? ['--liftoff-only'] : []),
  ]
}
