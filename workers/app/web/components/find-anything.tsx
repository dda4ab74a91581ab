/** One box for screens, sites, torrents, subscriptions and actions: Ctrl K from anywhere. */
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Dialog } from '#shared/pages/dialog.tsx'
import type { WireTorrentPage } from '../../contract/torrents.ts'
import type { Answer } from '../api/call.ts'
import { fetchTorrents } from '../api/downloaders.ts'
import { fetchSiteSettings } from '../api/sites.ts'
import { fetchSubscriptions } from '../api/subscriptions.ts'
import { words } from '../locales/words.ts'
import { type Entry, findEntries, findGroups, findWordsMax } from '../model/find-anything.ts'
import { screensOfRail } from '../model/rail.ts'
import { noSearch, searchHash } from '../model/search-query.ts'
import { everySubscription, subscriptionHash } from '../model/subscription-query.ts'
import { everyTorrent, torrentHash, torrentParameters } from '../model/torrent-query.ts'
import { chooseLanguage, chooseTheme, language, theme } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { goTo } from '../router.ts'
import { leave } from '../sign-out.ts'
import { useTyped } from './find-box.tsx'

const torrentsShown = 5
const noTorrents: WireTorrentPage['items'] = []

function actions(): readonly Entry[] {
  const text = words.value.find
  const isDark =
    theme.value === 'dark' || (theme.value === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  const places: readonly (readonly [label: string, hash: string])[] = [
    [text.addTorrents, '#/torrents?add='],
    [text.addSubscription, '#/explore'],
    [text.addSite, '#/sites/new'],
    [text.addDownloader, '#/downloaders/new'],
  ]
  return [
    ...places.map(([label, hash]): Entry => ({ group: 'actions', label, hash })),
    {
      group: 'actions',
      label: isDark ? text.light : text.dark,
      act: () => chooseTheme(isDark ? 'light' : 'dark'),
    },
    {
      group: 'actions',
      // A language is named by itself.
      label: language.value === 'en' ? '中文' : 'English',
      act: () => chooseLanguage(language.value === 'en' ? 'zh' : 'en'),
    },
    { group: 'actions', label: words.value.common.signOut, act: () => void leave() },
  ]
}

/** For what was typed, in the places that search by themselves. */
function furtherPlaces(typed: string): readonly Entry[] {
  const text = words.value.find
  if (typed === '') return []
  return [
    {
      group: 'actions',
      label: text.allTorrents(typed),
      hash: torrentHash({ ...everyTorrent, words: typed }),
      isChosen: true,
    },
    {
      group: 'actions',
      label: text.searchSites(typed),
      hash: searchHash({ ...noSearch, words: typed }),
      isChosen: true,
    },
  ]
}

export function FindAnything({ onClose }: { onClose: () => void }) {
  const text = words.value.find
  const list = useId()
  const asked = useSignal('')
  const [typed, onText] = useTyped(asked.value, (next) => {
    asked.value = next
  })
  const at = useSignal(0)
  const sites = useResource('sites', fetchSiteSettings)
  const subscriptions = useResource('subscriptions', (signal) => fetchSubscriptions(new URLSearchParams(), signal))
  const wanted = asked.value.trim()
  const torrents = useResource(wanted, async (signal): Promise<Answer<{ items: WireTorrentPage['items'] }>> => {
    if (wanted === '') return { ok: true, value: { items: noTorrents } }
    const parameters = torrentParameters({ ...everyTorrent, words: wanted })
    parameters.set('page_size', String(torrentsShown))
    return fetchTorrents(parameters, signal)
  })

  const trimmed = typed.value.trim()
  const entries = findEntries(
    [
      ...actions(),
      ...screensOfRail.map(
        (screen): Entry => ({
          group: 'screens',
          label: words.value.screens[screen],
          hash: `#/${screen}`,
        }),
      ),
      ...(sites.state.value.data?.items ?? []).map(
        ({ id, name }): Entry => ({
          group: 'sites',
          label: name,
          hash: `#/sites/${id}`,
        }),
      ),
      ...(torrents.state.value.data?.items ?? []).map(
        ({ title }): Entry => ({
          group: 'torrents',
          label: title,
          hash: torrentHash({ ...everyTorrent, words: title }),
          isChosen: torrents.isOwn(),
        }),
      ),
      ...(subscriptions.state.value.data ?? []).map(
        ({ id, title }): Entry => ({
          group: 'subscriptions',
          label: title,
          hash: subscriptionHash({ ...everySubscription, id }),
        }),
      ),
      ...furtherPlaces(trimmed),
    ],
    trimmed,
  )
  const chosen = Math.min(at.value, entries.length - 1)
  const isPartly = [sites, subscriptions, torrents].some(({ state }) => state.value.failure !== undefined)
  const optionId = (index: number) => `${list}-${index}`
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, trimmed])

  function open(entry: Entry | undefined): void {
    if (entry === undefined) return
    onClose()
    if (entry.hash === undefined) entry.act?.()
    else goTo(entry.hash)
  }
  function onKeyDown(event: KeyboardEvent): void {
    // The keys of an input method choose among its own words.
    if (event.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && entries.length > 0) at.value = (chosen + step + entries.length) % entries.length
    else if (event.key === 'Enter') open(entries[chosen])
    else return
    event.preventDefault()
  }

  return (
    <Dialog title={text.title} look="wide" onClose={onClose}>
      <input
        class="input"
        type="text"
        role="combobox"
        aria-label={text.title}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={entries.length === 0 ? undefined : optionId(chosen)}
        autocomplete="off"
        spellcheck={false}
        data-first
        placeholder={text.hint}
        maxLength={findWordsMax}
        value={typed.value}
        onInput={(event) => {
          at.value = 0
          onText(event.currentTarget.value)
        }}
        onKeyDown={onKeyDown}
      />
      <div class="found" id={list} role="listbox" aria-label={text.title} ref={box}>
        {findGroups.map((group) =>
          entries.some((one) => one.group === group) ? (
            // biome-ignore lint/a11y/useSemanticElements: a group of options is no set of fields
            <div key={group} role="group" aria-label={text.groups[group]}>
              <p class="faint small" aria-hidden="true">
                {text.groups[group]}
              </p>
              {entries.map((entry, index) =>
                entry.group === group ? (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the box's, which keeps the focus
                  // biome-ignore lint/a11y/useFocusableInteractive: as above
                  <div
                    key={optionId(index)}
                    id={optionId(index)}
                    role="option"
                    class="cut"
                    aria-selected={index === chosen}
                    onClick={() => open(entry)}
                  >
                    {entry.label}
                  </div>
                ) : null,
              )}
            </div>
          ) : null,
        )}
      </div>
      <p class="faint small" role="status">
        {trimmed === '' ? null : entries.length === 0 ? text.none : text.found(entries.length)}
        {isPartly ? ` ${text.partly}` : null}
      </p>
    </Dialog>
  )
}
