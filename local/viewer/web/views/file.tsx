/** One file: its outline, its source with what each line calls, and its imports both ways. */
import './file.css'
import { useMemo } from 'preact/hooks'
import type { FileAnswer, FileCodeAnswer, SourceAnswer } from '../api/answers.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { focusRows, useViewKeys } from '../keys.ts'
import { href, type Route } from '../model/address.ts'
import { callsOf, isTypeUse, rowsByLine, wordLinks } from '../model/call-rows.ts'
import { Answered } from '../parts/answered.tsx'
import { DriftedSource } from '../parts/drifted-source.tsx'
import { LongList } from '../parts/long-list.tsx'
import { usePageTitle } from '../parts/shell.tsx'
import { SourceListing } from '../parts/source-listing.tsx'
import { SourceTitle } from '../parts/source-title.tsx'
import { Bones, Empty, FailureNote, Note } from '../parts/states.tsx'
import { DriftMark } from '../parts/status.tsx'
import { grouped } from '../words/numbers.ts'
import { fileWords, words } from '../words/words.ts'
import { Imports } from './file-imports.tsx'

/** Languages by the names they give themselves. */
const languageNames: Readonly<Record<string, string>> = {
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

/** Lines of one answer of the server. */
const partLines = 4000

function lineOf(route: Route): number | undefined {
  const line = Number(route.query.get('line') ?? Number.NaN)
  return Number.isInteger(line) && line > 0 ? line : undefined
}

function lineHref(route: Route, line: number | undefined, text = route.query.get('text') ?? undefined): string {
  return href('file', route.detail, { line, text })
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
      {outline.truncated ? <p class="faint small">{words.value.list.shownOf(outline.shown, outline.total)}</p> : null}
    </aside>
  )
}

function Folders({ path }: { path: string }) {
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
              <a
                class="muted"
                href={href('home', '', { q: `kind:file path:"${folder}/"` })}
                title={fileWords.value.filesIn(folder)}
              >
                {part}
              </a>
            )}
          </span>
        )
      })}
    </>
  )
}

function Parts({ source, route }: { source: SourceAnswer; route: Route }) {
  const text = fileWords.value
  const { from = 1, to = 0, totalLines } = source
  if (totalLines === null || (from === 1 && to >= totalLines)) return null
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

function Code({ route, source, code }: { route: Route; source: SourceAnswer; code: FileCodeAnswer | undefined }) {
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
  return (
    <>
      <SourceTitle source={source} />
      {code?.calls.truncated === true ? (
        <p class="faint small">{text.callsCut(code.calls.shown, code.calls.total)}</p>
      ) : null}
      {source.drift ? (
        <DriftedSource
          source={source}
          isCurrentAsked={isCurrentText}
          otherHref={href('file', route.detail, { text: isCurrentText ? undefined : 'current' })}
        />
      ) : null}
      <Parts source={source} route={route} />
      {source.lines === undefined ? null : (
        <SourceListing
          source={source}
          label={text.sourceOf(source.file)}
          calls={calls}
          links={links}
          definitions={definitions}
          focusId=""
          lineHref={(line) => lineHref(route, line)}
          line={lineOf(route)}
        />
      )}
      <Parts source={source} route={route} />
    </>
  )
}

function Found({ route, answer }: { route: Route; answer: FileAnswer }) {
  const text = fileWords.value
  const { file } = answer
  const from = Math.floor(((lineOf(route) ?? 1) - 1) / partLines) * partLines + 1
  const isCurrentText = route.query.get('text') === 'current'
  const source = useAnswer(
    api.source(file.path, { from, to: from + partLines - 1, ...(isCurrentText ? { ondrift: 'current' } : {}) }),
  )
  const code = useAnswer(api.fileCode(file.path)).reading.value
  const codeData = code.isCurrent ? code.data : undefined
  const isReady = source.reading.value.isCurrent || source.reading.value.failure !== undefined
  useViewKeys([
    { key: 'h', meaning: text.toOutline, act: () => focusRows('outline') },
    { key: 'l', meaning: text.toCalls, act: () => focusRows('calls') },
  ])
  const marks = [
    languageNames[file.language] ?? file.language,
    codeData?.file.totalLines === null || codeData === undefined ? '' : text.lines(codeData.file.totalLines),
    file.test ? words.value.test : '',
    file.generated ? words.value.generated : '',
  ].filter((word) => word !== '')
  if (codeData === undefined && code.failure === undefined)
    return (
      <div class="page">
        <Bones rows={14} />
      </div>
    )
  return (
    <div class="filev">
      <article>
        <header class="symh">
          <div class="symt">
            <h1 class="mono">
              <Folders path={file.path} />
            </h1>
            <DriftMark file={file.path} isDrifted={answer.drift} />
          </div>
          <p class="muted small">
            {marks.join(words.value.comma)}
            <span class="faint">
              {' · '}
              {text.facts(answer.outline.total, answer.topLevel.calls, codeData?.intraFileCalls ?? 0)}
            </span>
          </p>
        </header>
        {file.errors.length === 0 ? null : (
          <Note tone="warn" incomplete>
            {text.errors} <span lang="en">{file.errors.join('; ')}</span>
          </Note>
        )}
        <Imports answer={answer} />
        <Answered of={source} bones={16}>
          {(data) => <Code route={route} source={data} code={codeData} />}
        </Answered>
      </article>
      {/* On a phone it stands below the source, and waits for it so that nothing on screen moves. */}
      {isReady ? <Outline answer={answer} route={route} /> : null}
    </div>
  )
}

export function FileView({ route }: { route: Route }) {
  const text = fileWords.value
  const path = route.detail
  const answer = useAnswer(api.file(path))
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
        <Bones rows={14} />
      </div>
    )
  return <Found key={path} route={route} answer={data} />
}
