/** What the index does not have of the project, so that nobody takes what is missing for what is not there. */
import type { GapsAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Folded } from '../components/folded.tsx'
import { grouped } from '../locales/numbers.ts'
import { homeWords } from '../locales/words.ts'
import { href } from '../model/address.ts'

const rowsFirst = 5

interface GapRow {
  readonly path: string
  readonly why: string
  /** It is in the index with its name at least. */
  readonly isThere: boolean
}

function rowsOf({ givenUp, leftOut, halfParsed }: GapsAnswer): GapRow[] {
  const text = homeWords.value
  return [
    ...givenUp.items.map(({ file, reason, references }) => ({
      path: file,
      why:
        references === 0 ? text.gapReasons[reason] : `${text.gapReasons[reason]} (${text.gapReferences(references)})`,
      isThere: true,
    })),
    ...leftOut.items.map(({ path, reason, files }) => ({
      path,
      why: files === 1 ? text.gapReasons[reason] : `${text.gapReasons[reason]} (${text.gapFiles(files)})`,
      isThere: false,
    })),
    ...halfParsed.items.map(({ file }) => ({ path: file, why: text.gapSyntax, isThere: true })),
  ]
}

export function IndexGaps() {
  const text = homeWords.value
  const gaps = useAnswer(api.gaps()).reading.value.data
  if (gaps === undefined) return null
  const rows = rowsOf(gaps)
  if (rows.length === 0) return null
  const counts = [
    [gaps.givenUp.total, text.gapsGivenUp],
    [gaps.filesLeftOut, text.gapsLeftOut],
    [gaps.halfParsed.total, text.gapsHalf],
  ] as const
  return (
    <section class="sec" data-gaps>
      <header>
        <h2>{text.gaps}</h2>
        <span class="n">
          {counts
            .filter(([count]) => count > 0)
            .map(([count, say]) => say(grouped(count)))
            .join(' · ')}
        </span>
      </header>
      <Folded
        items={rows}
        first={rowsFirst}
        more={text.gapsAll}
        class="res"
        row={(row) => (
          <li key={row.path}>
            {row.isThere ? (
              <a href={href('file', row.path)} data-row>
                <span class="mono cut">{row.path}</span> <span class="faint">{row.why}</span>
              </a>
            ) : (
              <span class="gap">
                <span class="mono cut">{row.path}</span> <span class="faint">{row.why}</span>
              </span>
            )}
          </li>
        )}
      />
    </section>
  )
}
