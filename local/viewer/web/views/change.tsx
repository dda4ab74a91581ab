/** What a change does to the rest: what reaches it, which tests would tell, what it leaves behind. */
import '../styles/view-strip.css'
import './lists.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import type { ReviewAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Answered } from '../components/answered.tsx'
import { Verdict } from '../components/certainty.tsx'
import { Figure } from '../components/figure.tsx'
import { Folded } from '../components/folded.tsx'
import { ListingPage } from '../components/listing-page.tsx'
import { SectionHead } from '../components/section-head.tsx'
import { KindWord, Place } from '../components/symbol-link.tsx'
import { grouped } from '../locales/numbers.ts'
import { changeWords, words } from '../locales/words.ts'
import { href, type Route } from '../model/address.ts'
import { goInPlace } from '../router.ts'

const rowsFirst = 12
const callersFirst = 5
const usualRanges = ['HEAD', 'HEAD~1'] as const

export function ChangeView({ route }: { route: Route }) {
  const text = changeWords.value
  const range = route.query.get('range')?.trim() || 'HEAD'
  const answer = useAnswer(api.review(range))
  return (
    <ListingPage text={text}>
      <RangeChoice range={range} key={range} />
      <Answered of={answer} skeletonRows={14}>
        {(data) => <Review answer={data} />}
      </Answered>
    </ListingPage>
  )
}

function RangeChoice({ range }: { range: string }) {
  const text = changeWords.value
  const isUsual = usualRanges.some((one) => one === range)
  const typed = useSignal(isUsual ? '' : range)
  const compare = (next: string): void => goInPlace(href('change', '', { range: next === 'HEAD' ? '' : next }))
  return (
    <form
      class="btns dead-ask"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.value.trim() !== '') compare(typed.value.trim())
      }}
    >
      <span class="small muted">{text.range}</span>
      {usualRanges.map((one) => (
        <button key={one} class="opt" type="button" aria-pressed={range === one} onClick={() => compare(one)}>
          {text.ranges[one]}
        </button>
      ))}
      <label class="field-inline">
        <span class="vh">{text.other}</span>
        <input
          class="input mono"
          autocomplete="off"
          spellcheck={false}
          placeholder={text.other}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value
          }}
        />
      </label>
      <button class="btn" type="submit">
        {text.compare}
      </button>
    </form>
  )
}

const countOf = (rows: readonly { readonly certain: boolean }[]): number => rows.filter((one) => one.certain).length

function Review({ answer }: { answer: ReviewAnswer }) {
  const text = changeWords.value
  const { owners, contracts, changed, affected, routes, tests, newlyDead, newlyCircular, notIndexed } = answer
  if (changed.total === 0 && notIndexed.total === 0)
    return <Empty title={text.noneTitle} body={text.noneBody(answer.range)} />
  const sure = ({ items, shown }: { readonly items: Parameters<typeof countOf>[0]; readonly shown: number }): string =>
    text.reachNote(countOf(items), shown - countOf(items))
  return (
    <>
      <dl class="figures">
        <Figure title={text.changed} value={changed.total} note={text.untested(answer.untested)} />
        <Figure
          title={text.reach}
          value={affected.total}
          note={affected.truncated ? text.reachCut(affected.shown) : sure(affected)}
        />
        <Figure title={text.routes} value={routes.total} note={text.routesNote} />
        <Figure title={text.tests} value={tests.total} note={sure(tests)} />
        <Figure
          title={text.left}
          value={newlyDead.total + newlyCircular.total}
          note={text.leftNote(newlyDead.total, newlyCircular.total)}
        />
      </dl>
      {[owners, contracts, changed, affected, routes, tests, newlyDead, newlyCircular, notIndexed].some(
        (one) => one.truncated,
      ) ? (
        <Note incomplete role="status">
          {text.cut}
        </Note>
      ) : null}
      <Contracts contracts={contracts} />
      <Tests tests={tests} />
      <LeftBehind answer={answer} />
      <Rows
        title={text.changed}
        list={changed}
        row={(one) => (
          <SymbolRow key={`${one.file}:${one.line}:${one.name}`} of={one}>
            {one.exported ? <span class="tag wide-only">{text.exported}</span> : null}
            {one.tested === 'no' ? <span class="tag warn">{text.tested.no}</span> : null}
            {one.tested === 'possible' ? <span class="tag guess">{text.tested.possible}</span> : null}
          </SymbolRow>
        )}
      />
      <Rows title={text.routes} list={routes} row={affectedRow} />
      <Rows title={text.affectedTitle} list={affected} row={affectedRow} />
      <Rows
        title={text.owners}
        list={owners}
        row={({ owner, files }) => (
          <li key={owner}>
            <span class="row">
              <span class="mono">{owner}</span>
              <span class="faint small cut mono" title={files.join(', ')}>
                {files.join(', ')}
              </span>
            </span>
          </li>
        )}
      />
      <Rows
        title={text.notIndexed}
        list={notIndexed}
        row={(file) => (
          <li key={file}>
            <span class="row">
              <span class="mono cut">{file}</span>
            </span>
          </li>
        )}
      />
    </>
  )
}

function Rows<T>(props: {
  title: string
  list: { readonly total: number; readonly items: readonly T[] }
  end?: ComponentChildren
  row: (item: T) => ComponentChildren
}) {
  const { title, list, row, end } = props
  if (list.total === 0) return null
  return (
    <section class="sec" data-rows={title}>
      <SectionHead title={title} count={grouped(list.total)} end={end} />
      <Folded items={list.items} first={rowsFirst} more={changeWords.value.more} class="res dead-rows" row={row} />
    </section>
  )
}

interface Placed {
  readonly name: string
  readonly kind: string
  readonly file: string
  readonly line: number
}

/** By file and line, which are those of the work tree. */
function SymbolRow({ of, at = of.line, children }: { of: Placed; at?: number; children?: ComponentChildren }) {
  return (
    <li>
      <a href={href('file', of.file, { line: at })} data-row>
        <KindWord kind={of.kind} />
        <span class="mono cut">{of.kind === 'route' ? of.name.replace(/^.*?::/, '') : of.name}</span>
        {children}
        <Place file={of.file} line={at} />
      </a>
    </li>
  )
}

function affectedRow(one: ReviewAnswer['affected']['items'][number]) {
  const text = changeWords.value
  return (
    <SymbolRow key={`${one.file}:${one.line}:${one.name}`} of={one} at={one.atLine}>
      {one.certain ? null : <span class="tag guess">{text.possible}</span>}
      {Verdict({ verdict: one.verdict })}
      <span class="faint small wide-only">{text.toward(one.toward, one.steps)}</span>
    </SymbolRow>
  )
}

function Tests({ tests }: { tests: ReviewAnswer['tests'] }) {
  const text = changeWords.value
  const isCopied = useSignal(false)
  if (tests.total === 0)
    return (
      <section class="sec">
        <SectionHead title={text.tests} count={0} />
        <p class="muted pad">{text.noTests}</p>
      </section>
    )
  const copy = (
    <button
      class="link-button small"
      type="button"
      onClick={() => {
        void navigator.clipboard.writeText(tests.items.map((one) => one.file).join(' ')).then(() => {
          isCopied.value = true
        })
      }}
    >
      <Icon name="copy" small /> <span role="status">{isCopied.value ? words.value.copied : text.copyTests}</span>
    </button>
  )
  return (
    <Rows
      title={text.tests}
      list={tests}
      end={copy}
      row={({ file, certain, through }) => (
        <li key={file}>
          <a href={href('file', file)} data-row>
            <span class={`tag${certain ? '' : ' guess'}`}>{certain ? text.certain : text.possible}</span>
            <span class="mono cut">{file}</span>
            <span class="end faint small cut wide-only">{text.through(through.join(' › '))}</span>
          </a>
        </li>
      )}
    />
  )
}

/** What others rely on, each with the lines that do. */
function Contracts({ contracts }: { contracts: ReviewAnswer['contracts'] }) {
  const text = changeWords.value
  return (
    <Rows
      title={text.contracts}
      list={contracts}
      row={(one) => (
        <li key={`${one.file}:${one.line}:${one.name}`} class="contract">
          <a href={href('file', one.file, { line: one.line })} data-row>
            {one.kind === null ? null : <KindWord kind={one.kind} />}
            <span class="mono cut">{one.name}</span>
            <span class={`tag ${one.how === 'changed' ? 'warn' : 'bad'}`}>{text.how[one.how]}</span>
            <Place file={one.file} line={one.line} />
          </a>
          {one.before === null ? null : <code class="sig del">− {one.before}</code>}
          {one.now === null ? null : <code class="sig add">+ {one.now}</code>}
          <p class="small muted">
            {text[one.how === 'unmet' ? 'lackedBy' : 'usedBy'](one.callers.length, one.possible)}
          </p>
          <Folded
            items={one.callers}
            first={callersFirst}
            more={text.more}
            class="res"
            row={(caller) => (
              <SymbolRow key={`${caller.file}:${caller.atLine}`} of={caller} at={caller.atLine}>
                {Verdict({ verdict: caller.verdict })}
              </SymbolRow>
            )}
          />
        </li>
      )}
    />
  )
}

function LeftBehind({ answer }: { answer: ReviewAnswer }) {
  const text = changeWords.value
  const rows = [
    ...answer.newlyCircular.items.map((one) => ({
      ...{ file: one.file, line: one.line, kind: 'file', name: one.file },
      said: text.circle(one.files.join(' › ')),
    })),
    ...answer.newlyDead.items.map((one) => ({ ...one, said: one.fresh ? text.fresh : text.unused })),
  ]
  return (
    <Rows
      title={text.leavesTitle}
      list={{ total: answer.newlyDead.total + answer.newlyCircular.total, items: rows }}
      row={(one) => (
        <SymbolRow key={`${one.file}:${one.line}:${one.name}`} of={one}>
          <span class="faint small cut">{one.said}</span>
        </SymbolRow>
      )}
    />
  )
}
