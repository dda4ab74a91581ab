/** How a process that reads files is started, by what there is to read. */
import { languageFamily, languageOf } from '../core/language-of.ts'
import {
  extractHeapMbMax,
  extractOldHeapMb,
  extractYoungHeapMb,
  quickGrammarCharsMax,
  roomyReadingCharsMax,
} from '../limits.ts'

export function readerFlags(tasks: readonly { readonly path: string; readonly text: string }[]): string[] {
  // Scripts have a parser that is compiled already.
  let grammarChars = 0
  let chars = 0
  for (const { path, text } of tasks) {
    chars += text.length
    const language = languageOf(path)
    if (language !== undefined && languageFamily(language) !== 'script') grammarChars += text.length
  }
  return [
    `--max-old-space-size=${extractHeapMbMax}`,
    ...(chars <= roomyReadingCharsMax ? [`--initial-old-space-size=${extractOldHeapMb}`] : []),
    // There are as many readers as cores: threads that help one of them take their time from the other, and from one another.
    '--single-threaded-gc',
    `--min-semi-space-size=${extractYoungHeapMb}`,
    `--max-semi-space-size=${extractYoungHeapMb}`,
    ...(grammarChars <= quickGrammarCharsMax ? ['--liftoff-only'] : []),
  ]
}
