/** What an index does not have of its project, in words. */
import type { GraphReader } from '../core/graph-reader.ts'
import type { LeftOut, LeftOutReason } from '../core/left-out.ts'
import type { GivenUp } from '../core/vocabulary.ts'
import { fileBytesMax, filesMax } from '../limits.ts'
import type { SyncReport } from '../sync.ts'

/** What the index does not have; `indexer status` names each file. */
export function gapsText({
  withErrors,
  givenUp,
  leftOut,
}: Pick<SyncReport, 'withErrors' | 'givenUp' | 'leftOut'>): string {
  return [
    withErrors === 0 ? '' : `; ${withErrors} with syntax errors`,
    givenUp === 0 ? '' : `; ${givenUp} given up`,
    leftOut === 0 ? '' : `; ${leftOut} left out`,
  ].join('')
}

export interface IndexGaps {
  readonly givenUp: readonly { readonly file: string; readonly reason: GivenUp; readonly references: number }[]
  readonly leftOut: readonly LeftOut[]
  readonly filesLeftOut: number
  readonly syntaxErrors: readonly string[]
}

export function gapsOfIndex(reader: GraphReader): IndexGaps {
  const files = reader.files()
  return {
    givenUp: files.flatMap(({ path: file, givenUp: reason, givenUpReferences: references }) =>
      reason === undefined ? [] : [{ file, reason, references }],
    ),
    leftOut: reader.leftOut(),
    filesLeftOut: Number(reader.meta.get('left_out') ?? 0),
    syntaxErrors: files.filter((one) => one.errors.length > 0).map((one) => one.path),
  }
}

export const givenUpSentences: Readonly<Record<GivenUp, string>> = {
  too_deep: 'it is nested too deep',
  too_slow: 'reading it took too long',
  too_much_memory: 'reading it took too much memory',
  parser_died: 'it ended the process that read it',
  too_many_facts: 'it has more to say than the index keeps of one file',
  too_many_steps: 'finding what it refers to took too many steps',
}

const leftOutSentences: Readonly<Record<LeftOutReason, string>> = {
  too_large: `larger than ${fileBytesMax / 1024} KiB`,
  not_text: 'not text',
  unreadable: 'cannot be read',
  too_many_files: `the index holds no more than ${filesMax} files`,
  brought_in: 'a folder of what tools bring or produce',
}

const gapLinesMax = 20

/** One line a file, of each kind the first ones; `--json` has all of them. */
export function gapLines({ givenUp, leftOut, filesLeftOut, syntaxErrors }: IndexGaps): string[] {
  const listed = (title: string, count: number, rows: readonly string[]): string[] =>
    rows.length === 0
      ? []
      : [
          `${title}: ${count}`,
          ...rows.slice(0, gapLinesMax).map((row) => `  ${row}`),
          ...(rows.length > gapLinesMax ? [`  and ${rows.length - gapLinesMax} more; --json lists them`] : []),
        ]
  return [
    ...listed(
      'given up',
      givenUp.length,
      givenUp.map(
        ({ file, reason, references }) =>
          `${file}: ${givenUpSentences[reason]}${references === 0 ? '' : ` (${references} references)`}`,
      ),
    ),
    ...listed(
      'left out',
      filesLeftOut,
      leftOut.map(
        ({ path, reason, files }) => `${path}: ${leftOutSentences[reason]}${files === 1 ? '' : ` (${files} files)`}`,
      ),
    ),
    ...listed('with syntax errors', syntaxErrors.length, syntaxErrors),
  ]
}
