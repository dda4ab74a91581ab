/** Lines of code, and beside each what it calls: solid where it is known, dashed where it is guessed. */
import './source-listing.css'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { SourceAnswer } from '../../contract/wire.ts'
import { words } from '../locales/words.ts'
import { type CallRow, linkedColumns, type PlacedCalls, placeCalls, type WordLink } from '../model/call-rows.ts'
import type { LineMaker } from '../model/line-makers.ts'
import { blockRows, type Lines } from '../model/line-window.ts'
import { sameLine } from '../model/same-line.ts'
import { isComingBack } from '../router.ts'
import { Certainty, CertaintyKey, Verdict } from './certainty.tsx'
import { type CodeLink, CodeText } from './code-text.tsx'
import { LongList } from './long-list.tsx'
import { linkTo, SymbolLink } from './symbol-link.tsx'

const baseName = (file: string): string => file.slice(file.lastIndexOf('/') + 1)

/** One call, as an element at a place among its kind. */
function callLine(row: CallRow, at: number, focusId: string, isBrief = false) {
  const text = words.value
  if ('outside' in row)
    return (
      <span key={at} class="o x">
        <span class="mono cut">{row.outside.name}</span>
        {isBrief ? null : <span class="small cut">{text.code.outside}</span>}
      </span>
    )
  const { node, isGuess, confidence, resolvedBy, kind, owner, verdict } = row.call
  return (
    <span key={at} class={isGuess ? 'o g' : 'o'}>
      {SymbolLink({ node, dir: 'down', label: node.qualifiedName, title: `${node.file}:${node.line}` })}
      {isBrief ? null : (
        <>
          <span class="faint small cut">
            {node.id === focusId ? text.code.itself : `${baseName(node.file)}:${node.line}`}
          </span>
          {kind === 'calls' ? null : <span class="faint small nowrap">{text.edges[kind]}</span>}
          {owner === undefined ? null : <span class="faint small cut">{text.code.madeIn(owner)}</span>}
        </>
      )}
      {Certainty({ confidence, resolvedBy: isBrief ? undefined : resolvedBy })}
      {isBrief && verdict === 'proved' ? null : Verdict({ verdict })}
    </span>
  )
}

const briefMax = 3

/** Calls for which a line has no room: the first few by name, and a button for all of them. */
function CrowdedCalls({ stacked, inline, focusId }: PlacedCalls & { focusId: string }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen)
    return <span class="out open">{[...stacked, ...inline].map((row, at) => callLine(row, at, focusId))}</span>
  return (
    <span class="out">
      {stacked.map((row, at) => callLine(row, at, focusId))}
      <span class="brief">
        {inline.slice(0, briefMax).map((row, at) => callLine(row, at, focusId, true))}
        {inline.length <= briefMax ? null : (
          <button class="link-button small" type="button" onClick={() => setOpen(true)}>
            +{inline.length - briefMax}
          </button>
        )}
      </span>
    </span>
  )
}

/** The more recent, the stronger; the name stands where a piece of one change begins. */
function Maker({ maker }: { maker: LineMaker | undefined }) {
  if (maker === undefined) return <span class="who" />
  return (
    <span
      class="who"
      style={{ borderLeftColor: `color-mix(in srgb, var(--accent) ${maker.share}%, var(--line))` }}
      title={maker.title}
    >
      {maker.isFirst ? (
        <>
          <span class="cut">{maker.name}</span>
          <span class="faint nowrap">{maker.day}</span>
        </>
      ) : null}
    </span>
  )
}

/** After a re-index the line that stood at the top of the screen stands there again. */
function useSamePlace(source: SourceAnswer, from: number): { current: HTMLElement | null } {
  const frame = useRef<HTMLElement>(null)
  const shown = { source, from, begin: (source.from ?? from) - from }
  const before = useRef(shown)
  useLayoutEffect(() => {
    const old = before.current
    before.current = shown
    // More of the same text moves nothing.
    if (old.source.contentHash === source.contentHash && old.source.showing === source.showing && old.from === from)
      return
    if (old.source.file !== source.file || old.source.lines === undefined || source.lines === undefined) return
    const rows = [...(frame.current?.querySelectorAll<HTMLElement>('.ln') ?? [])]
    const top = document.querySelector('.bar')?.getBoundingClientRect().bottom ?? 0
    const at = rows.findIndex((row) => row.getBoundingClientRect().top >= top)
    const seen = rows[at]
    // Above the listing nothing of it is read yet.
    if (seen === undefined || at === 0) return
    const line = sameLine(old.source.lines, source.lines, Number(seen.dataset['at']) - old.begin)
    const now = line === undefined ? undefined : rows.find((row) => Number(row.dataset['at']) === line + shown.begin)
    if (now !== undefined) window.scrollBy(0, now.getBoundingClientRect().top - seen.getBoundingClientRect().top)
  }, [source, from])
  return frame
}

export function SourceListing(props: {
  source: SourceAnswer
  /** What is listed; of the source there may be only a part yet. */
  lines: Lines
  label: string
  calls: ReadonlyMap<number, readonly CallRow[]>
  links: ReadonlyMap<number, ReadonlyMap<number, WordLink>>
  /** Ids of what is defined here, by `line name`: the defining word leads to its symbol. */
  definitions?: ReadonlyMap<string, string>
  /** Who made each line, where that was asked. */
  makers?: ReadonlyMap<number, LineMaker> | undefined
  /** Whose listing it is; a call to it is a call to itself. */
  focusId: string
  lineHref: (line: number) => string
  /** The line the address names. */
  line?: number | undefined
}) {
  const { source, line } = props
  const { from } = props.lines
  const to = Math.min(props.lines.to, source.totalLines ?? props.lines.to)
  const begin = (source.from ?? from) - from
  const there = { from: begin, to: begin + (source.lines?.length ?? 0) }
  const rows = useMemo(
    () => Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => source.lines?.[at - begin] ?? ''),
    [source, from, to],
  )
  const placed = useMemo(() => placeCalls(props.calls, { from, to, blockLines: blockRows }), [props.calls, from, to])
  const isCurrentText = source.showing === 'current'
  const frame = useSamePlace(source, from)

  const isLineThere = line !== undefined && line - from >= there.from && line - from < there.to
  useEffect(() => {
    if (!isLineThere || isComingBack()) return
    document.getElementById(`L${line}`)?.scrollIntoView({ block: 'center' })
  }, [line, source.file, isLineThere])

  function linksOf(at: number, index: number): ReadonlyMap<number, CodeLink> | undefined {
    const found = isCurrentText ? undefined : props.links.get(at)
    const tokens = source.highlight?.lines[index - begin]
    if (found === undefined || tokens === undefined) return undefined
    return new Map(
      [...linkedColumns(tokens, found)].map(([column, { id, isGuess, title }]) => [
        column,
        { href: linkTo(id, 'down'), isGuess, title },
      ]),
    )
  }

  function definitionAt(at: number): ((name: string) => string | undefined) | undefined {
    const { definitions } = props
    if (definitions === undefined || isCurrentText) return undefined
    return (name) => {
      const id = definitions.get(`${at} ${name}`)
      return id === undefined ? undefined : linkTo(id)
    }
  }

  return (
    <>
      <section
        ref={frame}
        class={`src code${isCurrentText ? ' current' : ''}${props.makers === undefined ? '' : ' made'}`}
        aria-label={props.label}
        data-rows="calls"
      >
        <LongList
          items={rows}
          there={there}
          rowHeight={20}
          first={line === undefined ? undefined : line - from}
          row={(text, index) => {
            const at = from + index
            const calls = isCurrentText ? undefined : placed.get(at)
            const all = calls === undefined ? [] : [...calls.stacked, ...calls.inline]
            const style =
              calls === undefined
                ? ''
                : all.every((row) => 'outside' in row)
                  ? ' c x'
                  : all.every((row) => 'outside' in row || row.call.isGuess)
                    ? ' c g'
                    : ' c'
            return (
              <div class={`ln${style}${at === line ? ' hit' : ''}`} id={`L${at}`} key={index} data-at={index}>
                <a class="no" href={props.lineHref(at)} aria-label={words.value.code.line(at)} tabIndex={-1}>
                  {at}
                </a>
                {props.makers === undefined ? null : Maker({ maker: props.makers.get(at) })}
                <code>
                  {CodeText({
                    tokens: source.highlight?.lines[index - begin],
                    text,
                    links: linksOf(at, index),
                    definition: definitionAt(at),
                  })}
                </code>
                {calls === undefined ? null : calls.inline.length === 0 ? (
                  <span class="out">{calls.stacked.map((row, order) => callLine(row, order, props.focusId))}</span>
                ) : (
                  <CrowdedCalls {...calls} focusId={props.focusId} />
                )}
              </div>
            )
          }}
        />
      </section>
      <p class="legend key small">
        <CertaintyKey />
        <span class="faint">
          <i class="sw line dot" />
          {words.value.code.outside}
        </span>
      </p>
    </>
  )
}
