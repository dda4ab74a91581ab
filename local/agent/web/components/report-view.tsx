/** What the code index says: certain callers, possible ones and tests apart, each with its place. */
import { useMemo } from 'preact/hooks'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import { toolWords } from '../locales/words.ts'
import { type ReportPiece, readReport, reliedOn } from '../model/report.ts'

export function ReportView({ report }: { report: string }) {
  const pieces = useMemo(() => readReport(report), [report])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <div class="argbox result report" dir="ltr" tabIndex={0}>
      {pieces.map((piece, at) => (
        <Piece key={at} piece={piece} />
      ))}
    </div>
  )
}

function Piece({ piece }: { piece: ReportPiece }) {
  const say = toolWords.value.report
  if (piece.kind === 'text') {
    const about = reliedOn(piece.text)
    return about === undefined ? (
      <p lang="en">{showUnseen(piece.text)}</p>
    ) : (
      <p>
        {say.reliesOn} <code>{showUnseen(about)}</code>
      </p>
    )
  }
  const isPossible = /^(?:Possible|In doubt)|\bmay\b/.test(piece.title)
  return (
    <section class={isPossible ? 'possible' : ''}>
      <p>
        <b>{say.titles[piece.title] ?? piece.title}</b> <span class="faint">{piece.count}</span>
      </p>
      <ul>
        {piece.rows.map((row, at) => (
          <li key={at} title={row.text}>
            <code>{showUnseen(row.place === '' ? row.what : row.place)}</code>
            <span class="muted">{row.place === '' ? '' : showUnseen(row.what)}</span>
            {row.text === '' ? null : <code class="faint cut">{showUnseen(row.text)}</code>}
          </li>
        ))}
      </ul>
    </section>
  )
}
