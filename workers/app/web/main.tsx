import '#shared/pages/tokens.css'
import '#shared/pages/components.css'
import './pages.css'
import { effect, useSignal } from '@preact/signals'
import { Fragment, render, type VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { fetchState } from './api/account.ts'
import type { ApiFailure } from './api/call.ts'
import { type LaterPage, later, withAllWords } from './components/later.tsx'
import { FailureNote } from './components/note.tsx'
import { showWords, words } from './locales/words.ts'
import { home, type Route, signInHash } from './model/hash-route.ts'
import { language } from './preferences.ts'
import { goTo, route } from './router.ts'
import { consoleState } from './session.ts'

/** The kind of route that a name belongs to. */
type RouteOf<Name extends Route['name'], R = Route> = R extends { readonly name: infer N }
  ? Name extends N
    ? R
    : never
  : never

const pages = {
  setup: withAllWords(async () => (await import('./pages/set-up.tsx')).SetUpPage),
  'sign-in': later(async () => (await import('./pages/sign-in.tsx')).SignInPage),
  welcome: withAllWords(async () => (await import('./pages/welcome.tsx')).WelcomePage),
  overview: later(async () => (await import('./pages/overview.tsx')).OverviewPage),
  sites: withAllWords(async () => (await import('./pages/sites.tsx')).SitesPage),
  torrents: withAllWords(async () => (await import('./pages/torrents.tsx')).TorrentsPage),
  torrent: withAllWords(async () => (await import('./pages/torrent.tsx')).TorrentPage),
  search: withAllWords(async () => (await import('./pages/search.tsx')).SearchPage),
  explore: withAllWords(async () => (await import('./pages/explore.tsx')).ExplorePage),
  library: withAllWords(async () => (await import('./pages/library.tsx')).LibraryPage),
  subscriptions: withAllWords(async () => (await import('./pages/subscriptions.tsx')).SubscriptionsPage),
  watchlists: withAllWords(async () => (await import('./pages/watchlists.tsx')).WatchlistsPage),
  profiles: withAllWords(async () => (await import('./pages/profiles.tsx')).ProfilesPage),
  tasks: withAllWords(async () => (await import('./pages/tasks.tsx')).TasksPage),
  brush: withAllWords(async () => (await import('./pages/brush.tsx')).BrushPage),
  feeds: withAllWords(async () => (await import('./pages/feeds.tsx')).FeedsPage),
  rules: withAllWords(async () => (await import('./pages/rules.tsx')).RulesPage),
  transfers: withAllWords(async () => (await import('./pages/transfers.tsx')).TransfersPage),
  reseed: withAllWords(async () => (await import('./pages/reseed.tsx')).ReseedPage),
  ends: withAllWords(async () => (await import('./pages/ends.tsx')).EndsPage),
  downloaders: withAllWords(async () => (await import('./pages/downloaders.tsx')).DownloadersPage),
  jobs: withAllWords(async () => (await import('./pages/jobs.tsx')).JobsPage),
  templates: withAllWords(async () => (await import('./pages/templates.tsx')).TemplatesPage),
  channels: withAllWords(async () => (await import('./pages/channels.tsx')).ChannelsPage),
  assistant: withAllWords(async () => (await import('./pages/assistant.tsx')).AssistantPage),
  gateway: withAllWords(async () => (await import('./pages/gateway.tsx')).GatewayPage),
  tokens: withAllWords(async () => (await import('./pages/tokens.tsx')).TokensPage),
  devices: withAllWords(async () => (await import('./pages/devices.tsx')).DevicesPage),
  log: withAllWords(async () => (await import('./pages/log.tsx')).LogPage),
  backups: withAllWords(async () => (await import('./pages/backups.tsx')).BackupsPage),
  settings: withAllWords(async () => (await import('./pages/settings.tsx')).SettingsPage),
  more: withAllWords(async () => (await import('./pages/more.tsx')).MorePage),
} satisfies { readonly [Name in Route['name']]: LaterPage<RouteOf<Name>> }

/** Screens without a place in the rail fill the window. */
const bare: ReadonlySet<Route['name']> = new Set(['setup', 'sign-in', 'welcome'])
const frame = later(async () => (await import('./components/shell.tsx')).Frame)

function Start() {
  const failure = useSignal<ApiFailure | undefined>(undefined)
  async function ask(): Promise<void> {
    const answer = await fetchState()
    failure.value = answer.ok ? undefined : answer.failure
    if (answer.ok) consoleState.value = answer.value
  }
  useEffect(() => {
    void ask()
  }, [])
  if (failure.value === undefined) return null
  return (
    <main id="main" class="sign-in">
      <h1 class="vh">Wharf</h1>
      <FailureNote lead={words.value.common.loadFailed} failure={failure.value} retry={() => void ask()} />
    </main>
  )
}

/** The screen before stays until the file of this one is there. */
function Screen({ here }: { here: Route }) {
  const before = useRef<VNode | null>(null)
  const isSignedIn = consoleState.value?.signed_in === true
  // Every page takes its own route; the table above holds each to that.
  const wanted = pages[here.name] as unknown as LaterPage<Route>
  const isBare = bare.has(here.name)
  useEffect(() => {
    if (!isBare) void frame.fetch()
    void wanted.fetch().then(() => {
      if (!isSignedIn) return
      whenIdle(() => {
        for (const one of Object.values(pages)) void one.fetch()
        void import('./offline-shell.ts').then(({ offlineShell }) => offlineShell())
      })
    })
  }, [wanted, isBare, isSignedIn])
  if (wanted.hasFailed() || frame.hasFailed()) {
    return (
      <main id="main" class="sign-in">
        <h1 class="vh">Wharf</h1>
        <FailureNote
          lead={words.value.common.loadFailed}
          failure={{ code: 'offline', status: 0 }}
          retry={() => location.reload()}
        />
      </main>
    )
  }
  const Page = wanted.page()
  const Frame = isBare ? Fragment : frame.page()
  if (Page !== undefined && Frame !== undefined) {
    before.current = (
      <Frame>
        <Page {...here} />
      </Frame>
    )
  }
  return before.current
}

/** Not every browser has the call. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act)
  else setTimeout(act, 1)
}

/** Where the address leads is decided by what the server knows: without a password only set-up, without a session only sign-in. */
function Console() {
  const state = consoleState.value
  const here = route.value
  const known = state !== undefined
  const signedIn = state?.signed_in === true
  const toSetup = known && !signedIn && state?.set_up === false && here.name !== 'setup'
  const toSignIn = known && !signedIn && !toSetup && here.name !== 'setup' && here.name !== 'sign-in'
  const toInside = signedIn && here.name === 'sign-in'
  useEffect(() => {
    if (toSetup) goTo('#/setup')
    else if (toSignIn) goTo(signInHash(location.hash))
    else if (toInside) goTo((here.name === 'sign-in' ? here.back : undefined) ?? home)
  }, [toSetup, toSignIn, toInside, here])
  if (!known) return <Start />
  if (toSetup || toSignIn || toInside) return null
  return <Screen here={here} />
}

const root = document.getElementById('root')
// What is drawn first takes the place of the frame, which was painted before there was a script.
const isDrawn = new MutationObserver(() => {
  isDrawn.disconnect()
  document.getElementById('frame')?.remove()
})
if (root !== null) isDrawn.observe(root, { childList: true })
showWords(language.value).then(
  () => {
    effect(() => {
      // A language that cannot be fetched leaves the page in the one it is in.
      showWords(language.value).catch(() => undefined)
    })
    if (root !== null) render(<Console />, root)
  },
  () => {
    if (root !== null) root.textContent = 'Wharf could not be loaded. Reload this page. 未能载入，请重新载入此页面。'
  },
)
