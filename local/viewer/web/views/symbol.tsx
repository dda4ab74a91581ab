/** One symbol: who calls it, its source, and what it calls beside the lines that do. */
import './symbol.css'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Empty } from '#shared/pages/note.tsx'
import type { FileCodeAnswer, NodeAnswer, NodeRef, Relation, SourceAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useListing } from '../api/use-listing.ts'
import { Answered } from '../components/answered.tsx'
import { DriftedSource } from '../components/drifted-source.tsx'
import { usePageTitle } from '../components/shell.tsx'
import { SourceListing } from '../components/source-listing.tsx'
import { SourceTitle } from '../components/source-title.tsx'
import { FailureNote, Skeleton } from '../components/states.tsx'
import { whenIdle } from '../idle.ts'
import { focusRows, useViewKeys } from '../keys.ts'
import { symbolWords } from '../locales/words.ts'
import { href, type Route } from '../model/address.ts'
import { callsOf, isTypeUse, rowsByLine, wordLinks } from '../model/call-rows.ts'
import type { Lines } from '../model/line-window.ts'
import { formatTrail, parseTrail, stepsMax } from '../model/reading-trail.ts'
import { lastPlaceOf, noteRead } from '../recent.ts'
import { goTo, replaceAddress } from '../router.ts'
import { Callers } from './symbol-callers.tsx'
import { SymbolHead } from './symbol-head.tsx'
import { Hierarchy, Members, Outside, Reach } from './symbol-relations.tsx'
import { saveHref, TrailBar } from './symbol-trail.tsx'

/** This symbol with another line, text or id, on the same way. */
function sameWay(route: Route, changes: { id?: string; line?: number | undefined; text?: string | undefined }): string {
  const id = changes.id ?? route.detail
  const steps = parseTrail(route.query.get('trail')).map((step) => (step.id === route.detail ? { ...step, id } : step))
  return href('symbol', id, {
    trail: steps.length > 1 ? formatTrail(steps.slice(-stepsMax)) : undefined,
    line: changes.line,
    text: 'text' in changes ? changes.text : (route.query.get('text') ?? undefined),
  })
}

/** A name as a filter of the search: quotes cannot be part of it. */
const quoted = (text: string): string => `"${text.replaceAll('"', '')}"`

/**
 * Ids follow the lines of a file, so a re-index may give a symbol another one. The reader stays with the symbol they
 * read: it is looked for by what it was called and where it stood.
 */
function useNewId(id: string, isLost: boolean): { readonly id: string | undefined; readonly isSearching: boolean } {
  const last = lastPlaceOf(id)
  const search =
    last === undefined ? undefined : `name:${quoted(last.name)} path:${quoted(last.file)} kind:${last.kind}`
  const { data, isCurrent, failure } = useAnswer(isLost && search !== undefined ? api.search(search, 200) : undefined)
    .reading.value
  const [found] = (isCurrent ? (data?.results.items ?? []) : [])
    .filter((one) => one.qualifiedName === last?.qualifiedName && one.file === last.file && one.id !== id)
    .toSorted((a, b) => Math.abs(a.line - (last?.line ?? 0)) - Math.abs(b.line - (last?.line ?? 0)))
  return { id: found?.id, isSearching: isLost && last !== undefined && !isCurrent && failure === undefined }
}

function Lost({ id }: { id: string }) {
  const text = symbolWords.value
  const last = lastPlaceOf(id)
  return (
    <div class="page">
      <h1 class="vh">{text.gone}</h1>
      <Empty title={text.gone} body={last === undefined ? text.goneUnknown : text.goneBody(last.qualifiedName)}>
        {last === undefined ? null : (
          <>
            <a class="btn" href={href('home', '', { q: last.name })}>
              {text.searchFor(last.name)}
            </a>
            <a class="btn" href={href('file', last.file)}>
              {last.file}
            </a>
          </>
        )}
      </Empty>
    </div>
  )
}

/** Calls made by functions inside this one are shown where they stand, and said to be theirs. */
function inside(code: FileCodeAnswer | undefined, node: NodeRef): { relation: Relation; owner: string }[] {
  if (code === undefined) return []
  const owners = new Map(
    code.outline.items
      .filter((one) => one.line >= node.line && one.endLine <= node.endLine && one.id !== node.id)
      .map((one) => [one.id, one.name]),
  )
  return code.calls.items.flatMap(({ ownerId, relation }) => {
    const owner = owners.get(ownerId)
    return owner === undefined ? [] : [{ relation, owner }]
  })
}

function lineOf(route: Route): number | undefined {
  const line = Number(route.query.get('line') ?? Number.NaN)
  return Number.isFinite(line) ? line : undefined
}

function Source(props: {
  route: Route
  answer: NodeAnswer
  lines: Lines
  source: SourceAnswer
  code: FileCodeAnswer | undefined
}) {
  const text = symbolWords.value
  const { route, answer, source, code } = props
  const { node, outgoing, typesUsed, outsideIndex } = answer
  const nested = useMemo(() => inside(code, node), [code, node.id])
  const calls = useMemo(() => {
    const nestedOutside = (code?.outside.items ?? []).filter((one) => one.line >= node.line && one.line <= node.endLine)
    return rowsByLine(
      [
        ...outgoing.items.flatMap((one) => callsOf(one)),
        ...nested.filter((one) => !isTypeUse(one.relation)).flatMap((one) => callsOf(one.relation, one.owner)),
      ],
      [...outsideIndex.samples, ...nestedOutside].filter((one) => one.kind === 'calls' || one.kind === 'instantiates'),
    )
  }, [answer, code, nested])
  const links = useMemo(
    () => wordLinks([...outgoing.items, ...typesUsed, ...nested.map((one) => one.relation)]),
    [answer, nested],
  )
  const isCurrentText = route.query.get('text') === 'current'
  return (
    <>
      <SourceTitle source={source} />
      {source.drift ? (
        <DriftedSource
          source={source}
          isCurrentAsked={isCurrentText}
          otherHref={sameWay(route, { line: undefined, text: isCurrentText ? undefined : 'current' })}
        />
      ) : null}
      {source.lines === undefined ? null : (
        <SourceListing
          source={source}
          lines={props.lines}
          label={text.sourceOf(node.name)}
          calls={calls}
          links={links}
          focusId={node.id}
          lineHref={(at) => sameWay(route, { line: at })}
          line={lineOf(route)}
        />
      )}
    </>
  )
}

function Found({ route, answer }: { route: Route; answer: NodeAnswer }) {
  const text = symbolWords.value
  const { node } = answer
  const stats = useAnswer(api.stats()).reading.value.data
  const isCurrentText = route.query.get('text') === 'current'
  const { source, code, isCodeSettled, lines } = useListing({
    file: node.file,
    lines: { from: node.line, to: node.endLine },
    line: lineOf(route),
    isCurrentText,
    hasCode: answer.counts.members > 0,
  })
  const root = stats?.project.root
  useEffect(() => {
    if (root !== undefined) noteRead(node, root)
  }, [node.id, root])
  usePageTitle(node.qualifiedName)
  useViewKeys([
    { key: 'h', meaning: text.toCallers, act: () => focusRows('callers') },
    { key: 'l', meaning: text.toCalls, act: () => focusRows('calls') },
    { key: 's', meaning: text.save, act: () => goTo(saveHref(node.id)) },
  ])
  const isReady =
    isCodeSettled && (source.reading.value.data !== undefined || source.reading.value.failure !== undefined)
  // What stands below the source waits for it, so that nothing on screen moves, and until that is drawn.
  const [isWhole, setWhole] = useState(false)
  useEffect(() => (isReady ? whenIdle(() => setWhole(true), 100) : undefined), [isReady])
  return (
    <>
      <TrailBar focus={node.id} name={node.qualifiedName} />
      <div class={isWhole ? 'sym' : 'sym coming'}>
        <article>
          <SymbolHead answer={answer} scale={stats?.blastScale} />
          <Hierarchy answer={answer} />
          <Members answer={answer} />
          {isCodeSettled ? (
            <Answered of={source} skeletonRows={Math.min(node.lines, 24)} keepsOld>
              {(data) => <Source route={route} answer={answer} lines={lines} source={data} code={code} />}
            </Answered>
          ) : (
            <Skeleton rows={Math.min(node.lines, 24)} />
          )}
          {isWhole ? (
            <div class="below">
              <Reach answer={answer} />
              <Outside answer={answer} lineHref={(line) => sameWay(route, { line })} />
            </div>
          ) : null}
        </article>
        {/* Drawn while the source is on its way; on a phone, where they stand below all this, they are shown after it. */}
        <Callers answer={answer} />
      </div>
    </>
  )
}

/** While the next symbol is read its place is kept free, not filled with the one before. */
export function SymbolView({ route }: { route: Route }) {
  const answer = useAnswer(api.node(route.detail))
  const { failure, isCurrent, data } = answer.reading.value
  const isLost = failure?.code === 'not-found'
  const moved = useNewId(route.detail, isLost)
  // Its answer is there before its address is: what the reader looks at stays until then.
  const next = useAnswer(moved.id === undefined ? undefined : api.node(moved.id)).reading.value
  const newId = moved.id !== undefined && (next.isCurrent || next.failure !== undefined) ? moved.id : undefined
  useEffect(() => {
    if (newId !== undefined) replaceAddress(sameWay(route, { id: newId, line: undefined }))
  }, [newId])
  const isMoving = moved.isSearching || moved.id !== undefined
  if (isLost && !isMoving) return <Lost id={route.detail} />
  if (failure !== undefined && !isCurrent && !isLost)
    return (
      <div class="page">
        <FailureNote failure={failure} retry={answer.reload} />
      </div>
    )
  if (data === undefined || !isCurrent)
    return (
      <div class="page">
        <Skeleton rows={12} />
      </div>
    )
  const { kind, qualifiedName, file } = data.node
  return <Found key={`${kind} ${qualifiedName} ${file}`} route={route} answer={data} />
}
