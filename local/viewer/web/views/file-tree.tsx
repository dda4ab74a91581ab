/** The tree: each open folder asks for its own rows, so that a large project costs what is looked at. */
import { signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import type { TreeAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Answered } from '../components/answered.tsx'
import { inPlace } from '../components/in-place-link.tsx'
import { DriftMark } from '../components/status.tsx'
import { grouped } from '../locales/numbers.ts'
import { filesWords, homeWords, words } from '../locales/words.ts'
import { href } from '../model/address.ts'
import { foundLines } from '../model/found-lines.ts'
import { foldersTo, treeMove } from '../model/tree-keys.ts'

/** The most that the server lists of one folder. */
const rowsMax = 2000

/** Stays while one reads elsewhere. */
const open = signal<ReadonlySet<string>>(new Set())

function toggle(folder: string): void {
  const next = new Set(open.value)
  if (!next.delete(folder)) next.add(folder)
  open.value = next
}

const itemsOf = (tree: HTMLElement): HTMLElement[] => [...tree.querySelectorAll<HTMLElement>('[role="treeitem"]')]

/** The tab key enters the tree at one row: where one was, else at what the address names. */
function keepOneStop(tree: HTMLElement | null): void {
  if (tree === null) return
  const items = itemsOf(tree)
  const stop =
    items.find((one) => one === document.activeElement) ??
    items.find((one) => one.ariaCurrent === 'page') ??
    items.find((one) => one.tabIndex === 0) ??
    items[0]
  for (const one of items) one.tabIndex = one === stop ? 0 : -1
}

function onKey(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const items = itemsOf(event.currentTarget)
  const at = items.indexOf(event.target as HTMLElement)
  const rows = items.map((one) => ({
    level: Number(one.ariaLevel),
    isOpen: one.ariaExpanded === null ? undefined : one.ariaExpanded === 'true',
  }))
  const move = treeMove(rows, at, event.key)
  if (move === undefined) return
  event.preventDefault()
  if ('focus' in move) items[move.focus]?.focus()
  else toggle(items[move.toggle]?.dataset['folder'] ?? '')
}

export function FileTree({ path }: { path: string }) {
  const text = filesWords.value
  const tree = useRef<HTMLDivElement>(null)
  const total = useAnswer(api.tree('')).reading.value.data?.files
  // Before the paint: what the address names is in sight.
  useLayoutEffect(() => {
    open.value = new Set([...open.peek(), ...foldersTo(path)])
  }, [path])
  return (
    <aside class="ftree" aria-label={text.tree} data-rows="tree">
      <header class="ph">
        <h2>{text.title}</h2>
        <span class="n faint">{total === undefined ? '' : grouped(total)}</span>
        <kbd class="wide-only end">T</kbd>
      </header>
      <SearchedFor />
      <div
        role="tree"
        aria-label={text.tree}
        ref={tree}
        onKeyDown={onKey}
        onFocusIn={(event) => keepOneStop(event.currentTarget)}
      >
        <Level folder="" level={1} path={path} onRows={() => keepOneStop(tree.current)} />
      </div>
    </aside>
  )
}

interface LevelProps {
  readonly folder: string
  readonly level: number
  readonly path: string
  readonly onRows: () => void
}

function Level(props: LevelProps) {
  const limit = useSignal<number | undefined>(undefined)
  const answer = useAnswer(api.tree(props.folder, limit.value))
  return (
    <Answered of={answer} skeletonRows={2} keepsOld>
      {(data) => (
        <Rows
          {...props}
          data={data}
          showMore={
            limit.value === undefined
              ? () => {
                  limit.value = rowsMax
                }
              : undefined
          }
        />
      )}
    </Answered>
  )
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/', path.length - 2) + 1)

function Rows({
  data,
  level,
  path,
  onRows,
  showMore,
}: LevelProps & { data: TreeAnswer; showMore: (() => void) | undefined }) {
  const text = filesWords.value
  const { folders, here, leftOutHere } = data
  const list = useRef<HTMLUListElement>(null)
  const isHere = here.items.some((one) => one.path === path) || folders.items.some((one) => `${one.path}/` === path)
  useLayoutEffect(onRows)
  useEffect(() => {
    if (isHere) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [isHere, path])
  const shown = folders.shown + here.shown + leftOutHere.shown
  const total = folders.total + here.total + leftOutHere.total
  const indent = { paddingLeft: `${(level - 1) * 14 + 6}px` }
  let place = 0
  const item = (name: string) => {
    place += 1
    return {
      role: 'treeitem' as const,
      tabIndex: -1,
      'aria-level': level,
      'aria-posinset': place,
      'aria-setsize': total,
      style: indent,
      title: name,
    }
  }
  return (
    <ul role="none" ref={list}>
      {folders.items.map((folder) => {
        const isOpen = open.value.has(folder.path)
        const to = `${folder.path}/`
        return (
          <li key={to} role="none">
            <a
              {...item(folder.path)}
              href={href('files', to)}
              aria-current={to === path ? 'page' : undefined}
              data-row
              aria-expanded={isOpen}
              data-folder={folder.path}
              onClick={(event) => {
                const isToggle = to === path || (event.target as Element).closest('.tw') !== null
                inPlace(event, isToggle ? () => toggle(folder.path) : href('files', to))
              }}
            >
              <span class="tw">
                <Icon name={isOpen ? 'chevd' : 'chev'} small />
              </span>
              <span class="cut">{nameOf(folder.path)}</span>
              <Hits at={folder.path} />
              <span class="num faint">{folder.files === 0 ? '' : grouped(folder.files)}</span>
            </a>
            {isOpen ? <Level folder={folder.path} level={level + 1} path={path} onRows={onRows} /> : null}
          </li>
        )
      })}
      {here.items.map((file) => (
        <li key={file.path} role="none">
          <a
            {...item(file.path)}
            href={href('files', file.path)}
            aria-current={file.path === path ? 'page' : undefined}
            data-row
          >
            <span class="tw" />
            <span class="grow">
              <span class="cut">{nameOf(file.path)}</span>
              <Lacking file={file} />
            </span>
            {file.generated ? <span class="faint tiny">{words.value.generated}</span> : null}
            <DriftMark file={file.path} />
            <Hits at={file.path} />
          </a>
        </li>
      ))}
      {leftOutHere.items.map((one) => (
        <li key={one.path} role="none">
          <span {...item(one.path)} class="gone">
            <span class="tw" />
            <span class="grow">
              <span class="cut">{nameOf(one.path)}</span>
              <span class="why">
                <span class="vh">{text.notInIndex} </span>
                {homeWords.value.gapReasons[one.reason]}
              </span>
            </span>
            <span class="num faint">{one.files === 1 ? '' : grouped(one.files)}</span>
          </span>
        </li>
      ))}
      {shown === total ? null : (
        <li role="none">
          {showMore === undefined ? (
            <span {...item(text.cut(shown, total))} class="faint small">
              {text.cut(shown, total)}
            </span>
          ) : (
            <button {...item(text.more(shown, total))} class="link-button small" type="button" onClick={showMore}>
              {text.more(shown, total)}
            </button>
          )}
        </li>
      )}
    </ul>
  )
}

/** What was searched for last: back to it, or away with its numbers. */
function SearchedFor() {
  const found = foundLines.value
  if (found === undefined) return null
  const { searched, putAway } = filesWords.value
  return (
    <p class="hits-of small">
      <a href={found.address} class="cut">
        {searched(found.text, found.lines, found.isCut)}
      </a>
      <button
        type="button"
        class="link-button"
        aria-label={putAway}
        title={putAway}
        onClick={() => {
          foundLines.value = undefined
        }}
      >
        <Icon name="close" small />
      </button>
    </p>
  )
}

/** How many lines of a row the last search found. */
function Hits({ at }: { at: string }) {
  const count = foundLines.value?.at.get(at)
  if (count === undefined) return null
  const { hits } = filesWords.value
  return (
    <span class="hits" title={hits(count)}>
      <span aria-hidden="true">{grouped(count)}</span>
      <span class="vh">{hits(count)}</span>
    </span>
  )
}

/** Why the index has not all of a file. */
function Lacking({ file }: { file: TreeAnswer['here']['items'][number] }) {
  const { gapReasons, gapSyntax } = homeWords.value
  if (file.givenUp === null && !file.halfParsed) return null
  return (
    <span class="why">
      <span class="vh">{filesWords.value.notWhole} </span>
      {file.givenUp === null ? gapSyntax : gapReasons[file.givenUp]}
    </span>
  )
}
