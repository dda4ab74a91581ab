/** One file, beside the tree or by itself: its outline, its source with what each line calls, and its imports both ways. */
import './file.css'
import { signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Empty, Note } from '#shared/pages/note.tsx'
import type { FileAnswer, FileCodeAnswer, SourceAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { type LiveAnswer, useAnswer } from '../api/use-answer.ts'
import { useListing } from '../api/use-listing.ts'
import { Answered } from '../components/answered.tsx'
import { DriftedSource } from '../components/drifted-source.tsx'
import { LongList } from '../components/long-list.tsx'
import { usePageTitle } from '../components/shell.tsx'
import { ShownOf } from '../components/shown-of.tsx'
import { SourceListing } from '../components/source-listing.tsx'
import { SourceTitle } from '../components/source-title.tsx'
import { FailureNote, Skeleton } from '../components/states.tsx'
import { DriftMark } from '../components/status.tsx'
import { focusRows, useViewKeys, type ViewKey } from '../keys.ts'
import { grouped } from '../locales/numbers.ts'
import { fileWords, words } from '../locales/words.ts'
import { href, type Route } from '../model/address.ts'
import { callsOf, isTypeUse, rowsByLine, wordLinks } from '../model/call-rows.ts'
import { lineMakers } from '../model/line-makers.ts'
import type { Lines } from '../model/line-window.ts'
import { Imports } from './file-imports.tsx'

/** Languages by the names they give themselves. */
export const languageNames: Readonly<Record<string, string>> = {
  typescript: 'TypeScript',
  tsx: 'TSX',
  javascript: 'JavaScript',
  jsx: 'JSX',
  python: 'Python',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  ruby: 'Ruby',
  php: 'PHP',
  vue: 'Vue',
  svelte: 'Svelte',
}

/** Leads to the tree that stands beside a file or a folder. */
export const treeKey = (): ViewKey => ({ key: 't', meaning: fileWords.value.toTree, act: () => focusRows('tree') })

/** Asked for once, it is shown of every file that is opened. */
const isHistoryWanted = signal(false)
const toggleHistory = (): void => {
  isHistoryWanted.value = !isHistoryWanted.value
}

/** Lines of one answer of the server. */
const partLines = 4000

function lineOf(route: Route): number | undefined {
  const line = Number(route.query.get('line') ?? Number.NaN)
  return Number.isInteger(line) && line > 0 ? line : undefined
}

function lineHref(route: Route, line: number | undefined, text = route.query.get('text') ?? undefined): string {
  return href(route.view, route.detail, { line, text })
}

function Outline({ answer, route }: { answer: FileAnswer; route: Route }) {
  const text = fileWords.value
  const { outline } = answer
  return (
    <aside class="outline" aria-label={text.outline} data-rows="outline">
      <header class="ph">
        <h2>{text.outline}</h2>
        <span class="n faint">{grouped(outline.total)}</span>
        <kbd class="wide-only end">H</kbd>
      </header>
      {outline.total === 0 ? <p class="faint small">{text.noOutline}</p> : null}
      <LongList
        items={outline.items}
        rowHeight={26}
        as="ul"
        row={(one) => (
          <li key={one.id} class={`d${Math.min(one.depth, 5)}`}>
            <a href={lineHref(route, one.line)} data-row title={one.signature ?? one.qualifiedName}>
              <span class="mono cut">{one.name}</span>
              <span class="faint tiny nowrap">{words.value.kinds[one.kind]}</span>
              <span class="num faint" title={text.usedTimes(one.fanIn)}>
                {one.fanIn === 0 ? '' : grouped(one.fanIn)}
              </span>
            </a>
          </li>
        )}
      />
      <ShownOf {...outline} />
    </aside>
  )
}

/** A path of which each folder leads to its place in the tree. */
export function Folders({ path }: { path: string }) {
  const parts = path.split('/')
  return (
    <>
      {parts.map((part, at) => {
        const folder = parts.slice(0, at + 1).join('/')
        const isLast = at === parts.length - 1
        return (
          <span key={folder}>
            {at === 0 ? null : <span class="faint">/</span>}
            {isLast ? (
              part
            ) : (
              <a class="muted" href={href('files', `${folder}/`)} title={fileWords.value.filesIn(folder)}>
                {part}
              </a>
            )}
          </span>
        )
      })}
    </>
  )
}

function Parts({ lines, totalLines, route }: { lines: Lines; totalLines: number | null; route: Route }) {
  const text = fileWords.value
  const { from } = lines
  if (totalLines === null || (from === 1 && lines.to >= totalLines)) return null
  const to = Math.min(lines.to, totalLines)
  return (
    <p class="parts small">
      {from > 1 ? (
        <a class="link" href={lineHref(route, Math.max(1, from - partLines))}>
          {text.before}
        </a>
      ) : null}
      <span>{text.part(from, to, totalLines)}</span>
      {to < totalLines ? (
        <a class="link" href={lineHref(route, to + 1)}>
          {text.after}
        </a>
      ) : null}
    </p>
  )
}

function Code({
  route,
  lines,
  source,
  code,
}: {
  route: Route
  lines: Lines
  source: SourceAnswer
  code: FileCodeAnswer | undefined
}) {
  const text = fileWords.value
  const relations = useMemo(() => code?.calls.items.map((one) => one.relation) ?? [], [code])
  const calls = useMemo(
    () =>
      rowsByLine(
        relations.filter((one) => !isTypeUse(one)).flatMap((one) => callsOf(one)),
        (code?.outside.items ?? []).filter((one) => one.kind === 'calls' || one.kind === 'instantiates'),
      ),
    [relations, code],
  )
  const links = useMemo(() => wordLinks(relations), [relations])
  const definitions = useMemo(
    () => new Map(code?.outline.items.map((one) => [`${one.line} ${one.name}`, one.id])),
    [code],
  )
  const isCurrentText = route.query.get('text') === 'current'
  const isWanted = isHistoryWanted.value && !source.drift
  const { data, failure } = useAnswer(isWanted ? api.blame(source.file) : undefined).reading.value
  const makers = useMemo(
    () => (isWanted && data?.known === true ? lineMakers(data, text) : undefined),
    [isWanted, data, text],
  )
  return (
    <>
      <SourceTitle source={source}>
        {source.totalLines === null ? '' : text.lines(source.totalLines)}
        {code === undefined ? '' : `${words.value.comma}${text.callsInside(code.intraFileCalls)}`}
        {source.drift ? null : (
          <>
            {' · '}
            <button class="link-button" type="button" aria-pressed={isWanted} onClick={toggleHistory}>
              {text.history}
            </button>{' '}
            <kbd class="wide-only">B</kbd>
          </>
        )}
        {!isWanted || makers !== undefined ? null : (
          <span role="status">
            {' '}
            {data === undefined && failure === undefined ? text.historyComing : text.historyGone}
          </span>
        )}
      </SourceTitle>
      {source.drift ? (
        <DriftedSource
          source={source}
          isCurrentAsked={isCurrentText}
          otherHref={href(route.view, route.detail, { text: isCurrentText ? undefined : 'current' })}
        />
      ) : null}
      <Parts lines={lines} totalLines={source.totalLines} route={route} />
      {source.lines === undefined ? null : (
        <SourceListing
          source={source}
          lines={lines}
          label={text.sourceOf(source.file)}
          calls={calls}
          links={links}
          definitions={definitions}
          focusId=""
          makers={makers}
          lineHref={(line) => lineHref(route, line)}
          line={lineOf(route)}
        />
      )}
      {code?.calls.truncated === true ? (
        <p class="faint small">{text.callsCut(code.calls.shown, code.calls.total)}</p>
      ) : null}
      <Parts lines={lines} totalLines={source.totalLines} route={route} />
    </>
  )
}

function Found(props: {
  route: Route
  answer: FileAnswer
  lines: Lines
  source: LiveAnswer<SourceAnswer>
  code: FileCodeAnswer | undefined
  isCodeSettled: boolean
}) {
  const text = fileWords.value
  const { route, answer, source, code, isCodeSettled } = props
  const { file } = answer
  const isReady = isCodeSettled && (source.reading.value.isCurrent || source.reading.value.failure !== undefined)
  const isBesideTree = route.view === 'files'
  useViewKeys([
    isBesideTree ? treeKey() : { key: 'h', meaning: text.toOutline, act: () => focusRows('outline') },
    { key: 'l', meaning: text.toCalls, act: () => focusRows('calls') },
    { key: 'b', meaning: text.history, act: toggleHistory },
  ])
  const marks = [
    languageNames[file.language] ?? file.language,
    file.test ? words.value.test : '',
    file.generated ? words.value.generated : '',
  ].filter((word) => word !== '')
  return (
    <div class={isReady ? 'filev' : 'filev coming'}>
      <article>
        <header class="symh">
          <div class="symt">
            <h1 class="mono">
              <Folders path={file.path} />
            </h1>
            <DriftMark file={file.path} isDrifted={answer.drift} />
            {isBesideTree ? (
              <a class="link small" href={href('file', file.path)}>
                {text.alone}
              </a>
            ) : null}
          </div>
          <p class="muted small">
            {marks.join(words.value.comma)}
            <span class="faint">
              {' · '}
              {text.facts(answer.outline.total, answer.topLevel.calls)}
            </span>
          </p>
        </header>
        {file.errors.length === 0 ? null : (
          <Note tone="warn" incomplete>
            {text.errors} <span lang="en">{file.errors.join('; ')}</span>
          </Note>
        )}
        <Imports answer={answer} />
        {isCodeSettled ? (
          <Answered of={source} skeletonRows={16}>
            {(data) => <Code route={route} lines={props.lines} source={data} code={code} />}
          </Answered>
        ) : (
          <Skeleton rows={16} />
        )}
      </article>
      {/* Drawn while the source is on its way; on a phone, where it stands below it, it is shown with it. */}
      {isBesideTree ? null : <Outline answer={answer} route={route} />}
    </div>
  )
}

/** A file, or one part of a long one. */
function FilePart({ route, lines }: { route: Route; lines: Lines }) {
  const text = fileWords.value
  const path = route.detail
  // Asked together: nothing of one is needed to ask for the other.
  const answer = useAnswer(api.file(path))
  const { source, code, isCodeSettled } = useListing({
    file: path,
    lines,
    line: lineOf(route),
    isCurrentText: route.query.get('text') === 'current',
    hasCode: true,
  })
  const { data, isCurrent, failure } = answer.reading.value
  usePageTitle(path)
  if (failure !== undefined && !isCurrent)
    return (
      <div class="page">
        <h1 class="vh">{path}</h1>
        {failure.code === 'not-found' ? (
          <Empty title={text.goneTitle} body={`${path}: ${text.goneBody}`}>
            <a class="btn" href={href('home', '', { q: path.slice(path.lastIndexOf('/') + 1) })}>
              {text.search}
            </a>
          </Empty>
        ) : (
          <FailureNote failure={failure} retry={answer.reload} />
        )}
      </div>
    )
  if (data === undefined || !isCurrent)
    return (
      <div class="page">
        <Skeleton rows={14} />
      </div>
    )
  return <Found route={route} answer={data} lines={lines} source={source} code={code} isCodeSettled={isCodeSettled} />
}

export function FileView({ route }: { route: Route }) {
  const from = Math.floor(((lineOf(route) ?? 1) - 1) / partLines) * partLines + 1
  return <FilePart key={`${route.detail} ${from}`} route={route} lines={{ from, to: from + partLines - 1 }} />
}
