/** Rail and stage; on phones the rail becomes a bar of five at the bottom. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import { fetchState, signOut } from '../api-client.ts'
import type { Screen } from '../model/hash-route.ts'
import { goTo } from '../router.ts'
import { consoleState } from '../session.ts'
import { words } from '../words/words.ts'

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
  downloaders: 'disk',
  jobs: 'clock',
  templates: 'template',
  channels: 'send',
  assistant: 'assistant',
  more: 'menu',
  tokens: 'token',
  devices: 'device',
  log: 'audit',
  settings: 'settings',
}

const work: readonly Screen[] = ['overview', 'sites', 'torrents', 'search', 'tasks', 'brush', 'downloaders']
const media: readonly Screen[] = ['subscriptions', 'library', 'explore']
const system: readonly Screen[] = ['jobs', 'templates', 'channels', 'assistant', 'tokens', 'devices', 'log', 'settings']
const tabs: readonly Screen[] = ['overview', 'torrents', 'search', 'subscriptions', 'more']
export const beyondTabs: readonly Screen[] = [...work, ...media, ...system].filter((screen) => !tabs.includes(screen))

export async function leave(): Promise<void> {
  await signOut()
  const state = await fetchState()
  if (state.ok) consoleState.value = state.value
  goTo('#/sign-in')
}

export function ScreenLinks({ screens, current }: { screens: readonly Screen[]; current: Screen }) {
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

function SecretsNote() {
  const secrets = consoleState.value?.secrets
  if (secrets === undefined || secrets === 'ready') return null
  const text = words.value.secrets
  return (
    <div class="banner">
      <Note
        tone="bad"
        role="status"
        action={
          <a class="link" href="#/downloaders">
            {words.value.screens.downloaders}
          </a>
        }
      >
        <b>{text[secrets]} </b>
        {text.body} {text.wayOut}
      </Note>
    </div>
  )
}

/** The screen that was last shown, so that the first one leaves focus at the top of the page. */
let shown: Screen | undefined

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
  useEffect(() => {
    const isFirst = shown === undefined
    shown = screen
    // A new screen starts at its heading, for those who do not see it change.
    if (!isFirst && document.activeElement === document.body) heading.current?.focus()
  }, [screen])
  const text = words.value
  return (
    <>
      <SkipLink />
      <div class="app">
        <nav class="rail" aria-label={text.common.main}>
          <div class="brand">
            <Icon name="mark" />
            <span>Wharf</span>
          </div>
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
        <div class="stage">
          <header class="bar">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {props.facts}
            {props.tools === undefined ? null : <div class="end">{props.tools}</div>}
          </header>
          <SecretsNote />
          <main id="main" tabIndex={-1} class={props.frame ?? (props.tight ? 'page tight' : 'page')}>
            {props.children}
          </main>
        </div>
      </div>
      <nav class="tabbar" aria-label={text.common.main}>
        <ScreenLinks screens={tabs} current={tabs.includes(screen) ? screen : 'more'} />
      </nav>
    </>
  )
}
