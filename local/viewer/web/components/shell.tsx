/** Rail, bar and stage; on phones the rail becomes a bar of five at the bottom. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Choices, SkipLink } from '#shared/pages/choices.tsx'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { isHelpOpen } from '../keys.ts'
import { chooseLanguage, words } from '../locales/words.ts'
import { href, type ViewName } from '../model/address.ts'
import { symbolHref } from '../model/reading-trail.ts'
import { chooseTheme, language, theme } from '../preferences.ts'
import { recentOf } from '../recent.ts'
import { route } from '../router.ts'
import { KeyDialog } from './key-dialog.tsx'
import { SearchBox } from './search-box.tsx'
import { driftCountText, LiveStatus } from './status.tsx'

const icons: Record<ViewName, IconName> = {
  home: 'search',
  symbol: 'symbol',
  file: 'file',
  files: 'tree',
  flow: 'flow',
  map: 'map',
  entries: 'entry',
  dead: 'dead',
  routes: 'site',
  trails: 'trail',
  text: 'audit',
  change: 'diff',
  accuracy: 'check',
}
const railViews = [
  'home',
  'files',
  'text',
  'entries',
  'symbol',
  'flow',
  'map',
  'change',
  'dead',
  'trails',
  'accuracy',
] as const
const tabViews = ['home', 'files', 'change', 'map'] as const
const moreViews = ['text', 'entries', 'symbol', 'flow', 'dead', 'routes', 'trails', 'accuracy'] as const

/** `symbol` leads to the one read last; without one, to where one is found. */
function viewHref(view: ViewName, root: string | undefined): string {
  if (view !== 'symbol') return href(view)
  const [last] = recentOf(root)
  return last === undefined ? href('home') : symbolHref([], last.id)
}

function ViewLink(props: { view: ViewName; root: string | undefined; onClick?: () => void }) {
  const { view } = props
  return (
    <a
      href={viewHref(view, props.root)}
      aria-current={route.value.view === view ? 'page' : undefined}
      onClick={props.onClick}
    >
      <Icon name={icons[view]} />
      <span>{words.value.views[view]}</span>
    </a>
  )
}

function ViewerChoices() {
  return Choices({ words: words.value.settings, theme, chooseTheme, language, chooseLanguage })
}

export function Shell({ children }: { children: ComponentChildren }) {
  const { view, detail } = route.value
  const text = words.value
  const stats = useAnswer(api.stats()).reading.value.data
  const isMoreOpen = useSignal(false)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const root = stats?.project.root
  const drifted = driftCountText()
  useEffect(() => {
    isMoreOpen.value = false
    // A new page is read from its beginning, by those who do not see it change as well.
    if (!isFirst.current && (document.activeElement ?? document.body) === document.body)
      main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [view, detail])
  const closeMore = (): void => {
    isMoreOpen.value = false
  }
  return (
    <>
      <SkipLink>{words.value.skip}</SkipLink>
      <div class="app slim">
        <nav class="rail" aria-label={text.main}>
          <a class="brand" href="#/" aria-label={text.name}>
            <Icon name="mark" />
          </a>
          {railViews.map((name) => (
            <ViewLink key={name} view={name} root={root} />
          ))}
          <div class="foot">
            <button type="button" onClick={() => (isHelpOpen.value = true)}>
              <Icon name="question" />
              <span>{text.keys.title}</span>
            </button>
            <ViewerChoices />
          </div>
        </nav>
        <div class="stage">
          <header class="bar">
            {view === 'home' ? (
              <div class="bar-title">
                <h1 class="cut">{stats?.project.name ?? 'Wharf'}</h1>
                <span class="faint small wide-only cut">
                  {stats === undefined
                    ? null
                    : text.status.summary(stats.graph.nodes, stats.graph.edges, stats.graph.files)}
                </span>
              </div>
            ) : (
              <SearchBox />
            )}
            <div class="end">
              {view === 'home' || drifted === undefined ? null : (
                <a class="tag warn" href="#/" title={text.drift.hidden}>
                  {drifted}
                </a>
              )}
              <LiveStatus project={stats?.project.name} isNamed={view !== 'home'} />
            </div>
          </header>
          <main id="main" class="vmain" tabIndex={-1} ref={main}>
            {children}
          </main>
        </div>
      </div>
      <nav class="tabbar" aria-label={text.main}>
        {tabViews.map((name) => (
          <ViewLink key={name} view={name} root={root} />
        ))}
        <button type="button" aria-haspopup="dialog" onClick={() => (isMoreOpen.value = true)}>
          <Icon name="menu" />
          <span>{text.more}</span>
        </button>
      </nav>
      {isMoreOpen.value ? (
        <Dialog title={text.more} onClose={closeMore}>
          <div class="more-list">
            {moreViews.map((name) => (
              <ViewLink key={name} view={name} root={root} onClick={closeMore} />
            ))}
            <ViewerChoices />
          </div>
          <div class="btns ends-right">
            <button class="btn" type="button" data-first onClick={closeMore}>
              {text.close}
            </button>
          </div>
        </Dialog>
      ) : null}
      <KeyDialog />
    </>
  )
}

/** The name of the page in the browser's tab and history. */
export function usePageTitle(title: string | undefined): void {
  const name = words.value.name
  useEffect(() => {
    document.title = title === undefined || title === '' ? name : `${title} · ${name}`
  }, [title, name])
}
