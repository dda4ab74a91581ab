/** The project's files as a tree, with what differs from the last commit, and a reader for one of them. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import { askText } from '../api/ask.ts'
import { type ChangedFile, routes } from '../api/routes.ts'
import { Changed, PatchView } from '../components/patch-view.tsx'
import { Section } from '../components/section.tsx'
import { Shell, usePageTitle } from '../components/shell.tsx'
import { FailureNote, Loaded } from '../components/states.tsx'
import { fileWords, panelWords, words } from '../locales/words.ts'
import { fileHref } from '../model/address.ts'
import { nameOf } from '../model/transcript.ts'
import { here } from '../state/sessions.ts'
import { useRead } from '../state/use-read.ts'

/** More than this of one file is read in an editor. */
const shownCharacters = 400_000
/** What git keeps is nobody's file: it is in the tree only for whoever opened something in it. */
const repositoryFolder = '.git'

export function FilesView({ path }: { path: string }) {
  const say = fileWords.value
  usePageTitle(path === '' ? words.value.views.files : nameOf(path))
  const changed = useRead(() => routes.changedFiles(), [path])
  const found = changed.value.value
  const marks = new Map((found?.data ?? []).map((file) => [file.path, file]))
  return (
    <Shell
      bar={
        <>
          {path === '' ? null : (
            <a class="btn icon quiet phone-only" href={fileHref('')} aria-label={words.value.views.files}>
              <Icon name="up" />
            </a>
          )}
          <h1 class="cut">{path === '' ? words.value.views.files : nameOf(path)}</h1>
          <span class="faint small wide-only nowrap">{nameOf(here.value?.directory ?? '')}</span>
        </>
      }
    >
      <div class={`filesp${path === '' ? '' : ' with-file'}`}>
        <nav class="tree" aria-label={words.value.views.files}>
          <FailureNote failure={changed.failure.value} />
          {marks.size === 0 ? null : (
            <Section title={say.changed} count={marks.size}>
              <ul>
                {[...marks.values()].map((file) => (
                  <FileLink key={file.path} path={file.path} name={file.path} mark={file} isHere={file.path === path} />
                ))}
              </ul>
              {found?.truncated === true ? <p class="small faint">{say.cut}</p> : null}
            </Section>
          )}
          {found?.data === null ? <p class="small faint">{say.noRepository}</p> : null}
          <section class="sec" aria-label={say.all}>
            <header>
              <h2>{say.all}</h2>
            </header>
            <Folder path="." marks={marks} here={path} />
          </section>
        </nav>
        <div class="reader">
          {path === '' ? <Empty title={say.choose} /> : <Reader key={path} path={path} mark={marks.get(path)} />}
        </div>
      </div>
    </Shell>
  )
}

type Marks = ReadonlyMap<string, ChangedFile>

function Folder({ path, marks, here: open }: { path: string; marks: Marks; here: string }) {
  const say = fileWords.value
  const reading = useRead(() => routes.listFiles(path), [path])
  return (
    <Loaded reading={reading} rows={2}>
      {({ data, truncated }) => (
        <ul>
          {data
            .filter((entry) => nameOf(entry.path) !== repositoryFolder || open.startsWith(entry.path))
            .map((entry) =>
              entry.type === 'directory' ? (
                <Branch key={entry.path} path={entry.path} marks={marks} here={open} />
              ) : (
                <FileLink
                  key={entry.path}
                  path={entry.path}
                  name={nameOf(entry.path)}
                  mark={marks.get(entry.path)}
                  isHere={entry.path === open}
                />
              ),
            )}
          {truncated ? <li class="small faint">{say.cut}</li> : null}
        </ul>
      )}
    </Loaded>
  )
}

/** What lies in it is read when it is opened; one on the way to the file on screen is open. */
function Branch({ path, marks, here: open }: { path: string; marks: Marks; here: string }) {
  const isOnTheWay = open.startsWith(path)
  const isOpen = useSignal(isOnTheWay)
  useEffect(() => {
    if (isOnTheWay) isOpen.value = true
  }, [isOnTheWay])
  const holdsChange = [...marks.keys()].some((name) => name.startsWith(path))
  return (
    <li>
      <details open={isOpen.value} onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
        <summary data-row>
          <Icon name="folder" small />
          <span class="cut grow">{nameOf(path)}</span>
          {holdsChange ? (
            <span class="acc" title={fileWords.value.holdsChange}>
              <Icon name="m-on" small />
              <span class="vh">{fileWords.value.holdsChange}</span>
            </span>
          ) : null}
        </summary>
        {isOpen.value ? <Folder path={path} marks={marks} here={open} /> : null}
      </details>
    </li>
  )
}

function FileLink(props: { path: string; name: string; mark: ChangedFile | undefined; isHere: boolean }) {
  const { path, name, mark, isHere } = props
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isHere])
  const inside = (
    <>
      <Icon name={path.endsWith('/') ? 'folder' : 'file'} small />
      <span class={name.includes('/') ? 'cut ends-only grow' : 'cut grow'} title={path}>
        <bdi>{showUnseen(name)}</bdi>
      </span>
      {mark === undefined ? null : <Mark mark={mark} />}
    </>
  )
  return (
    <li>
      {path.endsWith('/') ? (
        <span class="leaf muted">{inside}</span>
      ) : (
        <a class="leaf" ref={link} href={fileHref(path)} aria-current={isHere ? 'page' : undefined} data-row>
          {inside}
        </a>
      )}
    </li>
  )
}

function Mark({ mark }: { mark: ChangedFile }) {
  const say = panelWords.value.changes
  return (
    <>
      {mark.status === 'modified' ? null : <span class="tag">{say.status[mark.status]}</span>}
      <Changed added={mark.additions ?? 0} deleted={mark.deletions ?? 0} />
    </>
  )
}

function Reader({ path, mark }: { path: string; mark: ChangedFile | undefined }) {
  return (
    <>
      <p class="reader-head">
        <code class="grow">{showUnseen(path)}</code>
        {mark === undefined ? null : <Mark mark={mark} />}
      </p>
      {mark === undefined || mark.additions === undefined ? null : <Difference path={path} mark={mark} />}
      {mark?.status === 'deleted' ? null : <Text path={path} />}
    </>
  )
}

/** Of a file that git knows. */
function Difference({ path, mark }: { path: string; mark: ChangedFile }) {
  const reading = useRead(() => routes.changedFiles({ path }), [path, mark])
  return (
    <details class="file-diff" open>
      <summary>{fileWords.value.difference}</summary>
      <Loaded reading={reading} rows={3}>
        {({ data }) => {
          const patch = data?.[0]?.patch ?? ''
          const isShown = patch.includes('\n@@ ')
          return isShown ? <PatchView patch={patch} /> : <p class="muted">{panelWords.value.changes.tooLong}</p>
        }}
      </Loaded>
    </details>
  )
}

function Text({ path }: { path: string }) {
  const say = fileWords.value
  const reading = useRead(() => askText(`/api/fs/read/${path.split('/').map(encodeURIComponent).join('/')}`), [path])
  return (
    <Loaded reading={reading} rows={10}>
      {(text) =>
        text.includes('\0') ? (
          <p class="muted">{say.noText}</p>
        ) : (
          <>
            <Lines text={text.slice(0, shownCharacters)} />
            {text.length > shownCharacters ? <p class="small muted">{say.tooLong}</p> : null}
          </>
        )
      }
    </Loaded>
  )
}

function Lines({ text }: { text: string }) {
  const lines = text.replace(/\n$/, '').split('\n')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <div class="code numbered" dir="ltr" tabIndex={0}>
      <pre aria-hidden="true">{lines.map((_, at) => at + 1).join('\n')}</pre>
      <pre>{showUnseen(lines.join('\n'))}</pre>
    </div>
  )
}
