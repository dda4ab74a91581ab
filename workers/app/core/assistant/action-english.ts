/** What waits for a yes, in English. */
import {
  actionWords,
  type ChangeOfTorrents,
  onLine,
  type PushTarget,
  type SitePlanTarget,
  type SubscriptionTarget,
  shownName,
  shownSite,
  shownTorrents,
} from './proposed-action.ts'

export const actionInEnglish = actionWords({ change, push, subscription, plan })

function quoted(shown: string): string {
  return `“${shown}”`
}

function change(proposed: ChangeOfTorrents): string {
  const { targets } = proposed
  const names = shownTorrents(targets)
    .map(({ title, downloader, hash }) => `${quoted(title)} (${downloader}${hash === undefined ? '' : `, ${hash}`})`)
    .join(', ')
  const isOne = targets.length === 1
  const count = isOne ? 'the torrent' : `${targets.length} torrents`
  switch (proposed.action) {
    case 'pause':
      return `Pause ${count}: ${names}.`
    case 'resume':
      return `Resume ${count}: ${names}.`
    case 'recheck':
      return `Check the data of ${count} again: ${names}.`
    case 'reannounce':
      return `Ask the trackers of ${count} now: ${names}.`
    case 'category':
      return proposed.value === ''
        ? `Take ${count} out of ${isOne ? 'its category' : 'their categories'}: ${names}.`
        : `Put ${count} into the category ${quoted(proposed.value)}: ${names}.`
    case 'tags':
      return proposed.value === ''
        ? `Take all tags off ${count}: ${names}.`
        : `Give ${count} the tags ${quoted(proposed.value)} in place of ${isOne ? 'its' : 'their'} own: ${names}.`
    case 'limits':
      return `Limit ${count} to ${limit(proposed.upload_limit)} up and ${limit(proposed.download_limit)} down: ${names}.`
    case 'delete':
      return `Remove ${count} from the downloader and keep the files: ${names}.`
    case 'delete_with_files':
      return `Delete ${count} and ${isOne ? 'its' : 'their'} files, which cannot be brought back: ${names}.`
  }
}

function limit(bytes: number): string {
  return bytes === 0 ? 'no limit' : `${bytes} bytes a second`
}

function push(target: PushTarget): string {
  const { name, title } = shownSite(target)
  const site = title === undefined ? name : `${title} (${name})`
  const torrent = target.title === undefined ? '' : ` ${quoted(shownName(target.title))}`
  const category = target.category === undefined ? '' : `, category ${quoted(target.category)}`
  const tags = target.tags === undefined ? '' : `, tags ${quoted(target.tags)}`
  return `Push the torrent${torrent} (number ${onLine(target.torrent_id)}) of the site ${site} to the downloader ${shownName(target.downloader)}${category}${tags}.`
}

function subscription({ title, tmdb_id: tmdbId, year, season, upgrade }: SubscriptionTarget): string {
  const what = season === 0 ? 'the film' : `season ${season} of the series`
  const numbers = `(${year === undefined ? '' : `${year}, `}TMDB ${tmdbId})`
  const better = upgrade ? ', replacing it when a better picture appears' : ''
  return `Subscribe to ${what} ${quoted(shownName(title))} ${numbers}: search and download by itself${better}.`
}

function plan(target: SitePlanTarget): string {
  const { name, title } = shownSite(target)
  const site = title === undefined ? name : `${title} (${name})`
  const seeds = `seed ${target.seeds} torrents that lie in the downloaders`
  const pushes = `download ${target.pushes} free ones, ${target.size} bytes`
  return `Carry out plan ${target.plan_id} for the level ${quoted(shownName(target.level))} of the site ${site}: ${seeds}, ${pushes}.`
}
