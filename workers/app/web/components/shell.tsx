/** Rail and stage, which the screens share; on phones the rail becomes a bar of five at the bottom. */
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import { listenForKeys } from '#shared/pages/keys.ts'
import { Note } from '#shared/pages/note.tsx'
import type { WireHealth } from '../../contract/console-health.ts'
import { fetchHealth } from '../api/service.ts'
import { beside } from '../beside.ts'
import { rowKey } from '../keys.ts'
import { words } from '../locales/words.ts'
import type { Screen } from '../model/hash-route.ts'
import { media, system, tabs, work } from '../model/rail.ts'
import { letterKeys } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { consoleState } from '../session.ts'
import { leave } from '../sign-out.ts'
import { withAllWords } from './later.tsx'
import { ReasonWords } from './reason.tsx'

const icons: Record<Screen, IconName> = {
  overview: 'overview',
  sites: 'site',
  torrents: 'torrent',
  search: 'search',
  explore: 'explore',
  library: 'folder',
  subscriptions: 'subscribe',
  tasks: 'tasks',
  brush: 'brush',
  feeds: 'filter',
  ends: 'clock',
  reseed: 'refresh',
  downloaders: 'disk',
  jobs: 'clock',
  templates: 'template',
  channels: 'send',
  assistant: 'assistant',
  gateway: 'gateway',
  more: 'menu',
  tokens: 'token',
  devices: 'device',
  log: 'audit',
  backups: 'history',
  settings: 'settings',
}

export function ScreenLinks({ screens, current }: { screens: readonly Screen[]; current: Screen | undefined }) {
  return (
    <>
      {screens.map((screen) => (
        <a key={screen} href={`#/${screen}`} aria-current={screen === current ? 'page' : undefined}>
          <Icon name={icons[screen]} />
          <span>{words.value.screens[screen]}</span>
        </a>
      ))}
    </>
  )
}

export function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: a skip link is an anchor to readers of screens; only its jump is made by hand
    <a
      class="skip"
      href="#main"
      onClick={(event) => {
        // The part behind `#` names the screen here, so the jump is made by hand.
        event.preventDefault()
        document.getElementById('main')?.focus()
      }}
    >
      {words.value.common.skip}
    </a>
  )
}

/** Seldom needed, so it comes by itself. */
const secretsNote = withAllWords(async () => (await import('./secrets-note.tsx')).SecretsNote)

function Secrets() {
  const secrets = consoleState.value?.secrets
  const isWhole = secrets === undefined || (secrets === 'ready' && (consoleState.value?.lost ?? []).length === 0)
  useEffect(() => {
    if (!isWhole) void secretsNote.fetch()
  }, [isWhole])
  const Page = isWhole ? undefined : secretsNote.page()
  return Page === undefined ? null : <Page />
}

const healthEveryMs = 30_000
/** Asked for all screens together. */
const machine = signal<WireHealth | undefined>(undefined)

function useMachine(): void {
  const health = useResource('health', fetchHealth, healthEveryMs)
  const { data } = health.state.value
  useEffect(() => {
    machine.value = data
  }, [data])
}

/** What is wrong with the machine, for as long as it is. */
function MachineNote() {
  const problems = machine.value?.problems ?? []
  if (problems.length === 0) return null
  return (
    <div class="banner">
      {problems.map(({ reason }) => (
        <Note key={JSON.stringify(reason)} tone={reason.kind === 'machine.disk_low' ? 'warn' : 'bad'} role="status">
          <ReasonWords reason={reason} />
        </Note>
      ))}
    </div>
  )
}

/** What stands above any page once it is asked for. */
const overlays = {
  '^k': withAllWords(async () => (await import('./find-anything.tsx')).FindAnything),
  '?': withAllWords(async () => (await import('./key-list.tsx')).KeyDialog),
}
const overlay = signal<keyof typeof overlays | undefined>(undefined)

export function openFinder(): void {
  overlay.value = '^k'
}

function Overlay() {
  useEffect(
    () =>
      listenForKeys(
        () => letterKeys.value,
        (key) => (key in overlays ? () => (overlay.value = key as keyof typeof overlays) : rowKey(key)),
      ),
    [],
  )
  const wanted = overlay.value && overlays[overlay.value]
  useEffect(() => void wanted?.fetch(), [wanted])
  const Page = wanted?.page()
  return Page === undefined ? null : <Page onClose={() => (overlay.value = undefined)} />
}

/** The first screen leaves the focus at the top of the page. */
let hasBegun = false
const shown = signal<Screen | undefined>(undefined)

/** Stays where it is while screens change in it. */
export function Frame({ children }: { children: ComponentChildren }) {
  useMachine()
  const text = words.value
  const screen = shown.value
  return (
    <>
      <SkipLink />
      <div class="app">
        <nav class="rail" aria-label={text.common.main}>
          <div class="brand">
            <Icon name="mark" />
            <span>Wharf</span>
          </div>
          <button type="button" onClick={openFinder}>
            <Icon name="search" />
            <span>{text.common.find}</span>
            <kbd>Ctrl K</kbd>
          </button>
          <ScreenLinks screens={work} current={screen} />
          <h2>{text.common.media}</h2>
          <ScreenLinks screens={media} current={screen} />
          <h2>{text.common.system}</h2>
          <ScreenLinks screens={system} current={screen} />
          <div class="foot">
            <button type="button" onClick={() => void leave()}>
              <Icon name="entry" />
              <span>{text.common.signOut}</span>
            </button>
          </div>
        </nav>
        <div class="stage">{children}</div>
      </div>
      <nav class="tabbar" aria-label={text.common.main}>
        <ScreenLinks screens={tabs} current={screen === undefined || tabs.includes(screen) ? screen : 'more'} />
      </nav>
      <Overlay />
    </>
  )
}

/** What is in the frame: the head of a screen, what is always said, and the screen. */
export function Shell(props: {
  screen: Screen
  title: string
  facts?: ComponentChildren
  tools?: ComponentChildren
  tight?: boolean
  /** In place of the page's own frame. */
  frame?: string
  children: ComponentChildren
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { screen, title } = props
  useEffect(() => {
    document.title = `${title} · Wharf`
  }, [title])
  useLayoutEffect(() => {
    shown.value = screen
    return () => {
      beside.value = undefined
    }
  }, [screen])
  useEffect(() => {
    const isFirst = !hasBegun
    hasBegun = true
    // A new screen starts at its heading, for those who do not see it change.
    const focused = document.activeElement
    if (!isFirst && (focused === document.body || focused?.closest('.rail, .tabbar'))) heading.current?.focus()
  }, [screen])
  return (
    <>
      <header class="bar">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {props.facts}
        {props.tools === undefined ? null : <div class="end">{props.tools}</div>}
      </header>
      <Secrets />
      <MachineNote />
      <main id="main" tabIndex={-1} class={props.frame ?? (props.tight ? 'page tight' : 'page')}>
        {props.children}
        {beside.value?.()}
      </main>
    </>
  )
}
