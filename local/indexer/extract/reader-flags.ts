/** How a process that reads files is started, by what there is to read. */
import { languageFamily, languageOf } from '../core/language-of.ts'
import {
  extractHeapMbMax,
  extractOldHeapMb,
  extractYoungHeapMb,
  quickGrammarCharsMax,
  roomyReadingCharsMax,
  tightYoungHeapMb,
} from '../limits.ts'

export interface Readers {
  readonly flags: readonly string[]
  /** The build itself needs the memory: what a reader took for one parser is given back before the other. */
  readonly areTight: boolean
}

/** Scripts have a parser that is compiled already. */
export function isReadByGrammar(path: string): boolean {
  const language = languageOf(path)
  return language !== undefined && languageFamily(language) !== 'script'
}

export function readersFor(tasks: readonly { readonly path: string; readonly text: string }[]): Readers {
  let grammarChars = 0
  let chars = 0
  for (const { path, text } of tasks) {
    chars += text.length
    if (isReadByGrammar(path)) grammarChars += text.length
  }
  const areTight = chars > roomyReadingCharsMax
  const youngMb = areTight ? tightYoungHeapMb : extractYoungHeapMb
  const flags = [
    `--max-old-space-size=${extractHeapMbMax}`,
    ...(areTight ? [] : [`--initial-old-space-size=${extractOldHeapMb}`]),
    // There are as many readers as cores: threads that help one of them take their time from the other, and from one another.
    '--single-threaded-gc',
    `--min-semi-space-size=${youngMb}`,
    `--max-semi-space-size=${youngMb}`,
    ...(grammarChars <= quickGrammarCharsMax ? ['--liftoff-only'] : []),
  ]
  return { flags, areTight }
}
