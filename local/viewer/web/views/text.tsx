/** Lines that hold a text, by file, as one types. */
import './lists.css'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import type { TextAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Answered } from '../components/answered.tsx'
import { FileName } from '../components/file-name.tsx'
import { ListingPage } from '../components/listing-page.tsx'
import { grouped } from '../locales/numbers.ts'
import { textWords, words } from '../locales/words.ts'
import { href, type Route } from '../model/address.ts'
import { countFound, foundLines } from '../model/found-lines.ts'
import { replaceAddress } from '../router.ts'

type TextFile = TextAnswer['files'][number]
type TextLine = TextFile['lines'][number]

const flags = ['regex', 'case', 'word'] as const

export function TextView({ route }: { route: Route }) {
  const text = textWords.value
  const box = useRef<HTMLInputElement>(null)
  const { query } = route
  const q = query.get('q') ?? ''
  const path = query.get('path') ?? ''
  const flagOf = (name: (typeof flags)[number]) => (query.get(name) === '1' ? ('1' as const) : undefined)
  const asked = {
    q,
    path: path === '' ? undefined : path,
    regex: flagOf('regex'),
    case: flagOf('case'),
    word: flagOf('word'),
  }
  const answer = useAnswer(q.trim() === '' ? undefined : api.text(asked))
  const change = (next: Readonly<Record<string, string | undefined>>): void =>
    replaceAddress(href('text', '', { ...asked, ...next }))
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) box.current?.focus({ preventScroll: true })
  }, [])
  return (
    <ListingPage text={text}>
      <search class="text-ask">
        <label class="find">
          <Icon name="search" />
          <span class="vh">{text.label}</span>
          <input
            ref={box}
            class="input mono"
            type="search"
            autocomplete="off"
            spellcheck={false}
            placeholder={text.label}
            value={q}
            onInput={(event) => change({ q: event.currentTarget.value })}
          />
        </label>
        <label class="find">
          <Icon name="filter" />
          <span class="vh">{text.path}</span>
          <input
            class="input"
            type="search"
            autocomplete="off"
            spellcheck={false}
            placeholder={text.path}
            value={path}
            onInput={(event) => change({ path: event.currentTarget.value })}
          />
        </label>
        <fieldset class="btns">
          <legend class="vh">{text.how}</legend>
          {flags.map((name) => (
            <button
              key={name}
              type="button"
              class="opt"
              title={name === 'regex' ? text.regexTitle : undefined}
              aria-pressed={asked[name] === '1'}
              onClick={() => change({ [name]: asked[name] === '1' ? undefined : '1' })}
            >
              {text[name]}
            </button>
          ))}
        </fieldset>
      </search>
      {q.trim() === '' ? null : (
        <section class="sec" aria-busy={answer.reading.value.busy}>
          <Answered of={answer} keepsOld skeletonRows={10}>
            {(data) => <Found answer={data} address={href('text', '', asked)} />}
          </Answered>
        </section>
      )}
    </ListingPage>
  )
}

function Found({ answer, address }: { answer: TextAnswer; address: string }) {
  const text = textWords.value
  useEffect(() => {
    foundLines.value = countFound(answer, address)
  }, [answer, address])
  const { files, shown, truncated, searchedFiles } = answer
  if (files.length === 0) return <Empty title={text.noneTitle(answer.query.text)} body={text.noneBody(searchedFiles)} />
  return (
    <>
      <header>
        <h2>{words.value.views.text}</h2>
        <span class="n" role="status">
          {text.found(shown.lines, shown.files)}
        </span>
        <span class="end wide-only">{text.searched(searchedFiles)}</span>
      </header>
      {truncated ? (
        <Note incomplete role="status">
          {text.cut}
        </Note>
      ) : null}
      <div data-rows="text">
        {files.map((file) => (
          <TextFileRows key={file.file} file={file} />
        ))}
      </div>
    </>
  )
}

function TextFileRows({ file }: { file: TextFile }) {
  const text = textWords.value
  return (
    <section class="text-file">
      <h3 class="kh">
        <a href={href('file', file.file)}>
          <FileName name={file.file} />
        </a>
        <span class="faint">{file.truncated ? text.cutFile(file.lines.length) : grouped(file.lines.length)}</span>
        {file.test ? <span class="tag">{words.value.test}</span> : null}
        {file.drift ? <span class="tag warn">{text.drift}</span> : null}
      </h3>
      <ul class="res">
        {file.lines.map((line) => (
          <li key={line.line}>
            <a href={href('file', file.file, { line: line.line })} data-row title={line.symbol?.name}>
              <span class="num faint">{line.line}</span>
              <code class="mono cut">{marked(line)}</code>
              {line.symbol === null ? null : <span class="end faint small mono wide-only">{line.symbol.name}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The line without what it is indented by, and its matches marked. */
function marked({ text, spans }: TextLine) {
  const from = Math.min(text.length - text.trimStart().length, spans[0]?.[0] ?? 0)
  const parts: (string | preact.JSX.Element)[] = []
  let at = from
  for (const [start, end] of spans) {
    if (start < at) continue
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>)
    at = end
  }
  return [...parts, text.slice(at)]
}
