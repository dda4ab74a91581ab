/** What a file takes from others, and who takes from it. */
import type { FileAnswer } from '../../contract/wire.ts'
import { Folded } from '../components/folded.tsx'
import { SectionHead } from '../components/section-head.tsx'
import { ShownOf } from '../components/shown-of.tsx'
import { SymbolLink } from '../components/symbol-link.tsx'
import { grouped } from '../locales/numbers.ts'
import { fileWords, words } from '../locales/words.ts'
import { href } from '../model/address.ts'

type Rows = FileAnswer['imports']

const rowsFirst = 6
const namesMax = 2

function ImportList({ title, rows, none }: { title: string; rows: Rows; none: string }) {
  const text = fileWords.value
  return (
    <section class="sec" data-rows={title}>
      <SectionHead title={title} count={text.filesCount(rows.total)} />
      {rows.total === 0 ? <p class="faint small imports-none">{none}</p> : null}
      <Folded
        items={rows.items}
        first={rowsFirst}
        more={text.showAll}
        class="imports"
        row={(row) => (
          <li key={row.file}>
            <a class="mono cut-head" href={href('file', row.file)} title={row.file} data-row>
              <bdi>{row.file}</bdi>
            </a>
            {row.test ? <span class="tag">{words.value.test}</span> : null}
            <span class="names wide-only">
              {row.symbols.slice(0, namesMax).map((symbol) => (
                <SymbolLink key={symbol.id} node={symbol} isRow={false} />
              ))}
              {row.symbolCount > namesMax ? (
                <span class="faint">{text.moreNames(row.symbolCount - Math.min(namesMax, row.symbols.length))}</span>
              ) : null}
            </span>
          </li>
        )}
      />
      <ShownOf {...rows} />
    </section>
  )
}

export function Imports({ answer }: { answer: FileAnswer }) {
  const text = fileWords.value
  const outside = [...new Set(answer.unresolvedImports.map((one) => one.name))]
  return (
    <>
      <div class="both-ways">
        <ImportList title={text.importedBy} rows={answer.importedBy} none={text.notImported} />
        <ImportList title={text.imports} rows={answer.imports} none={text.noImports} />
      </div>
      {outside.length === 0 ? null : (
        <p class="small outside-line">
          <span class="faint">
            {text.outside} <span class="num">{grouped(outside.length)}</span>:
          </span>{' '}
          {outside.map((name, at) => (
            <span key={name}>
              {at === 0 ? '' : ', '}
              <span class="mono">{name}</span>
            </span>
          ))}
        </p>
      )}
    </>
  )
}
