/** Rail, bar and stage; on phones the rail becomes a bar at the bottom. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Choices, SkipLink } from '#shared/pages/choices.tsx'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import { isHelpOpen } from '../keys.ts'
import { chooseLanguage, words } from '../locales/words.ts'
import { type grounds, sessionHref } from '../model/address.ts'
import { chooseTheme, language, theme } from '../preferences.ts'
import { route } from '../router.ts'
import { connection } from '../state/live.ts'
import { asks } from '../state/sessions.ts'
import { KeyDialog } from './key-dialog.tsx'

interface Place {
  readonly name: 'home' | 'new' | 'session' | 'changes' | 'context' | 'terminal' | 'files' | (typeof grounds)[number]
  readonly icon: IconName
  readonly href: string
}

const home: Place = { name: 'home', icon: 'session', href: '#/' }
const ofServer: readonly Place[] = [
  { name: 'files', icon: 'folder', href: '#/files' },
  { name: 'terminals', icon: 'terminal', href: '#/terminals' },
  { name: 'catalog', icon: 'symbol', href: '#/catalog' },
  { name: 'memory', icon: 'history', href: '#/memory' },
  { name: 'cleanup', icon: 'trash', href: '#/cleanup' },
]

/** Where one can go: within a session its parts as well. */
function places(): readonly Place[] {
  const now = route.value
  if (now.view !== 'session') return [home, { name: 'new', icon: 'plus', href: '#/new' }, ...ofServer]
  return [
    home,
    { name: 'session', icon: 'assistant', href: sessionHref(now.id) },
    { name: 'changes', icon: 'diff', href: sessionHref(now.id, 'changes') },
    { name: 'context', icon: 'overview', href: sessionHref(now.id, 'context') },
    { name: 'terminal', icon: 'terminal', href: sessionHref(now.id, 'terminal') },
    ...ofServer.filter(({ name }) => name !== 'terminals'),
  ]
}

/** At the bottom of a phone there is room for so many, and for the way to all of them. */
const tabsMax = 4

function PlaceLink({ place }: { place: Place }) {
  const now = route.value
  const here = now.view === 'session' ? (now.panel ?? 'session') : now.view
  return (
    <a href={place.href} aria-current={here === place.name ? 'page' : undefined}>
      <Icon name={place.icon} />
      <span>{words.value.views[place.name]}</span>
      {place.name === 'home' && asks.value.length > 0 ? <span class="count">{asks.value.length}</span> : null}
    </a>
  )
}

function PageChoices() {
  return Choices({ words: words.value.settings, theme, chooseTheme, language, chooseLanguage })
}

function KeysButton({ onClick }: { onClick?: () => void }) {
  return (
    <button
      type="button"
      onClick={() => {
        onClick?.()
        isHelpOpen.value = true
      }}
    >
      <Icon name="question" />
      <span>{words.value.keys.title}</span>
    </button>
  )
}

export function Shell({ bar, children }: { bar: ComponentChildren; children: ComponentChildren }) {
  const say = words.value
  const isMoreOpen = useSignal(false)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const now = route.value
  const where = now.view === 'session' ? now.id : now.view === 'files' ? `files/${now.path}` : now.view
  useLayoutEffect(() => {
    // These two know where their reader was.
    if (now.view !== 'home' && now.view !== 'session') window.scrollTo(0, 0)
  }, [where])
  useEffect(() => {
    // A new page is read from its beginning, by those who do not see it change as well.
    if (!isFirst.current && (document.activeElement ?? document.body) === document.body)
      main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [where])
  const closeMore = (): void => {
    isMoreOpen.value = false
  }
  return (
    <>
      <SkipLink>{say.skip}</SkipLink>
      <div class="app slim">
        <nav class="rail" aria-label={say.main}>
          <a class="brand" href="#/" aria-label={say.name}>
            <Icon name="mark" />
          </a>
          {places().map((place) => (
            <PlaceLink key={place.name} place={place} />
          ))}
          <div class="foot">
            <KeysButton />
            <PageChoices />
          </div>
        </nav>
        <div class="stage">
          <header class="bar">{bar}</header>
          {connection.value === 'lost' ? (
            <p class="note warn part" role="status">
              {say.connectionLost}
            </p>
          ) : null}
          <main id="main" tabIndex={-1} ref={main}>
            {children}
          </main>
        </div>
      </div>
      <nav class="tabbar" aria-label={say.main}>
        {places()
          .filter(({ name }) => name !== 'context')
          .slice(0, tabsMax)
          .map((place) => (
            <PlaceLink key={place.name} place={place} />
          ))}
        <button type="button" aria-haspopup="dialog" onClick={() => (isMoreOpen.value = true)}>
          <Icon name="menu" />
          <span>{say.more}</span>
        </button>
      </nav>
      {isMoreOpen.value ? (
        <Dialog title={say.more} onClose={closeMore}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the links in it lead elsewhere, which ends the dialog */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click */}
          <div
            class="more-list"
            onClick={({ target }) => target instanceof Element && target.closest('a') && closeMore()}
          >
            {places().map((place) => (
              <PlaceLink key={place.name} place={place} />
            ))}
            <KeysButton onClick={closeMore} />
            <PageChoices />
          </div>
          <div class="btns ends-right">
            <button class="btn" type="button" data-first onClick={closeMore}>
              {say.close}
            </button>
          </div>
        </Dialog>
      ) : null}
      <KeyDialog />
    </>
  )
}

/** The name of the page in the browser's tab, with how much waits for the owner. */
export function usePageTitle(title: string): void {
  const name = words.value.name
  const waiting = asks.value.length
  useEffect(() => {
    document.title = `${waiting === 0 ? '' : `(${waiting}) `}${title} · ${name}`
  }, [title, name, waiting])
}
