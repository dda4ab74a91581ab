/** What the index does not have of the project, so that nobody takes what is missing for what is not there. */
import type { GapsAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Folded } from '../components/folded.tsx'
import { SectionHead } from '../components/section-head.tsx'
import { grouped } from '../locales/numbers.ts'
import { homeWords } from '../locales/words.ts'
import { href } from '../model/address.ts'

const rowsFirst = 5

type GapRow = readonly [path: string, why: string, isThere: boolean]

function rowsOf({ givenUp, leftOut, halfParsed }: GapsAnswer): GapRow[] {
  const text = homeWords.value
  const why = (reason: keyof typeof text.gapReasons, note: string) => text.gapReasons[reason] + note
  return [
    ...givenUp.items.map(
      ({ file, reason, references }): GapRow => [
        file,
        why(reason, references === 0 ? '' : ` (${text.gapReferences(references)})`),
        true,
      ],
    ),
    ...leftOut.items.map(
      ({ path, reason, files }): GapRow => [path, why(reason, files === 1 ? '' : ` (${text.gapFiles(files)})`), false],
    ),
    ...halfParsed.items.map(({ file }): GapRow => [file, text.gapSyntax, true]),
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
      <SectionHead
        title={text.gaps}
        count={counts.flatMap(([count, say]) => (count > 0 ? say(grouped(count)) : [])).join(' · ')}
      />
      <Folded
        items={rows}
        first={rowsFirst}
        more={text.showMore}
        class="res"
        row={([path, why, isThere]) => {
          const said = (
            <>
              <span class="mono cut">{path}</span> <span class="faint">{why}</span>
            </>
          )
          return (
            <li key={path}>
              {isThere ? (
                <a href={href('file', path)} data-row>
                  {said}
                </a>
              ) : (
                <span class="row">{said}</span>
              )}
            </li>
          )
        }}
      />
    </section>
  )
}
