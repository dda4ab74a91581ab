/** How many torrents each downloader, tracker, category, tag and folder has, and the way to those alone. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireTorrentGroups } from '../../contract/torrents.ts'
import { type TorrentGrouping, torrentGroupings } from '../../core/vocabulary.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { type TorrentQuery, torrentHash, withName } from '../model/torrent-query.ts'
import { showGroups, torrentFilters } from '../torrent-preferences.ts'

/** So many names before one asks for the rest. */
const namesShown = 6

const listOf = { tracker: 'trackers', category: 'categories', tag: 'tags', folder: 'folders' } as const

interface Choice {
  readonly name: string
  readonly total: number | undefined
  readonly isChosen: boolean
  readonly hash: string
}

function Group({ title, choices }: { title: string; choices: readonly Choice[] }) {
  const text = words.value.torrentGroups
  const all = useSignal(false)
  const shown = all.value ? choices : choices.filter(({ isChosen }, at) => at < namesShown || isChosen)
  if (choices.length === 0) return null
  return (
    <section class="fct">
      <h2>{title}</h2>
      <ul>
        {shown.map(({ name, total, isChosen, hash }) => (
          <li key={hash}>
            <a href={hash} aria-current={isChosen ? 'true' : undefined} title={name}>
              <span class="cut">{name}</span>
              {total === undefined ? null : <span class="n">{grouped(total)}</span>}
              {isChosen ? <Icon name="close" small /> : null}
            </a>
          </li>
        ))}
      </ul>
      {shown.length === choices.length && !all.value ? null : (
        <button class="link-button small" type="button" onClick={() => (all.value = !all.value)}>
          {all.value ? text.fewer : text.more(grouped(choices.length - shown.length))}
        </button>
      )}
    </section>
  )
}

function choicesOf(groups: WireTorrentGroups, query: TorrentQuery, grouping: TorrentGrouping): Choice[] {
  const chosen = query[grouping]
  const told = groups[listOf[grouping]]
  // One that has nothing any more is still what is chosen.
  const isLost = chosen !== undefined && !told.some(({ name }) => name === chosen)
  return [...(isLost ? [{ name: chosen, total: 0 }] : []), ...told].map(({ name, total }) => ({
    name: name === '' ? words.value.torrentGroups.none[grouping] : name,
    total,
    isChosen: name === chosen,
    hash: torrentHash(withName(query, grouping, name === chosen ? undefined : name)),
  }))
}

export function TorrentGroups({ query, groups }: { query: TorrentQuery; groups: WireTorrentGroups | undefined }) {
  const text = words.value.torrentGroups
  const here = torrentHash(query)
  return (
    <aside class="facets" aria-label={text.title}>
      <div class="fct-h">
        <b>{text.title}</b>
        <kbd>F</kbd>
        <button class="btn icon quiet" type="button" aria-label={text.close} onClick={() => showGroups(false)}>
          <Icon name="close" small />
        </button>
      </div>
      <Group
        title={text.saved}
        choices={torrentFilters.value.map(({ name, hash }) => ({
          name,
          total: undefined,
          isChosen: hash === here,
          hash: hash === here ? '#/torrents' : hash,
        }))}
      />
      {groups === undefined ? null : (
        <>
          <Group
            title={words.value.torrents.downloader}
            choices={groups.downloaders.map(({ downloader_id, downloader, total }) => ({
              name: downloader,
              total,
              isChosen: query.downloaderId === downloader_id,
              hash: torrentHash({
                ...query,
                downloaderId: query.downloaderId === downloader_id ? undefined : downloader_id,
              }),
            }))}
          />
          {torrentGroupings.map((grouping) => (
            <Group key={grouping} title={text.by[grouping]} choices={choicesOf(groups, query, grouping)} />
          ))}
        </>
      )}
    </aside>
  )
}

/** What is chosen beyond the state, each with the way back; also where the groups themselves do not stand. */
export function ChosenGroups({ query }: { query: TorrentQuery }) {
  const text = words.value.torrentGroups
  const chosen = torrentGroupings.flatMap((grouping) => {
    const name = query[grouping]
    return name === undefined ? [] : [{ grouping, name: name === '' ? text.none[grouping] : name } as const]
  })
  const { said } = query
  if (chosen.length === 0 && said === undefined) return null
  return (
    <p class="narrowed">
      {chosen.map(({ grouping, name }) => (
        <a
          key={grouping}
          class="tag"
          href={torrentHash(withName(query, grouping, undefined))}
          aria-label={text.allAgain(text.by[grouping], name)}
        >
          {text.by[grouping]}: {name} <Icon name="close" small />
        </a>
      ))}
      {said === undefined ? null : (
        <a
          class="tag"
          href={torrentHash(withName(query, 'said', undefined))}
          aria-label={text.allAgain(words.value.torrent.said, said)}
        >
          {`“${said}”`} <Icon name="close" small />
        </a>
      )}
    </p>
  )
}

/** The same on a narrow screen. */
export function GroupSelects(props: {
  query: TorrentQuery
  groups: WireTorrentGroups | undefined
  onChange: (next: TorrentQuery) => void
}) {
  const text = words.value.torrentGroups
  const { query, groups } = props
  if (groups === undefined) return null
  return (
    <>
      {torrentGroupings.map((grouping) => {
        const choices = choicesOf(groups, query, grouping)
        const names = [...new Set([...(query[grouping] === undefined ? [] : [query[grouping]])])]
        return choices.length < 2 && names.length === 0 ? null : (
          <select
            key={grouping}
            class="input"
            aria-label={text.by[grouping]}
            // An empty name is one of them.
            value={query[grouping] === undefined ? '' : `=${query[grouping]}`}
            onChange={({ currentTarget: { value } }) =>
              props.onChange(withName(query, grouping, value === '' ? undefined : value.slice(1)))
            }
          >
            <option value="">{text.every[grouping]}</option>
            {groups[listOf[grouping]].map(({ name, total }) => (
              <option key={name} value={`=${name}`}>
                {`${name === '' ? text.none[grouping] : name} (${grouped(total)})`}
              </option>
            ))}
          </select>
        )
      })}
    </>
  )
}
