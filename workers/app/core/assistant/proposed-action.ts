/**
 * What somebody says yes or no to, as facts: taken from what is, never from what the model said. Whoever shows them puts
 * them into a sentence of the reader's language; `action-chinese.ts` and `action-english.ts` hold the words.
 */

/** A torrent in a downloader. */
export interface TorrentTarget {
  readonly title: string
  readonly downloader: string
  /** Shown in part where the title does not tell it from another one. */
  readonly info_hash: string
}

/** A torrent of a site, and where it goes. */
export interface PushTarget {
  readonly site: string
  /** As the owner calls the site; empty for nothing but its name. */
  readonly site_title: string
  readonly torrent_id: string
  /** As the site's search showed it; absent when nobody searched. */
  readonly title?: string | undefined
  readonly downloader: string
  /** These two are shown whole: who gives them asks `canBeShown` first. */
  readonly category?: string | undefined
  readonly tags?: string | undefined
}

export interface SubscriptionTarget {
  /** As the metadata provider calls it. */
  readonly title: string
  readonly tmdb_id: number
  readonly year?: number | undefined
  /** 0 for a film. */
  readonly season: number
  readonly upgrade: boolean
}

/** A plan for the next level of a site, as it was simulated. */
export interface SitePlanTarget {
  readonly site: string
  readonly site_title: string
  readonly level: string
  readonly plan_id: number
  /** Torrents that are started, those that are downloaded for free, and the bytes of those. */
  readonly seeds: number
  readonly pushes: number
  readonly size: number
}

export const torrentChanges = ['pause', 'resume', 'recheck', 'reannounce', 'delete', 'delete_with_files'] as const
type TorrentChange = (typeof torrentChanges)[number]

export type ProposedAction =
  | { readonly action: TorrentChange; readonly targets: TorrentTarget[] }
  /** What they get in place of what they have; empty for none. Shown whole: who gives it asks `canBeShown` first. */
  | { readonly action: 'category' | 'tags'; readonly value: string; readonly targets: TorrentTarget[] }
  /** Bytes a second; 0 for none. */
  | {
      readonly action: 'limits'
      readonly upload_limit: number
      readonly download_limit: number
      readonly targets: TorrentTarget[]
    }
  | { readonly action: 'push'; readonly targets: [PushTarget] }
  | { readonly action: 'subscribe'; readonly targets: [SubscriptionTarget] }
  | { readonly action: 'site_plan'; readonly targets: [SitePlanTarget] }

/** Those that are done to torrents in downloaders. */
export type ChangeOfTorrents = Exclude<ProposedAction, { readonly action: 'push' | 'subscribe' | 'site_plan' }>

/** One language's sentences for all of them. */
export type ActionWords = (proposed: ProposedAction) => string

/** Of the words for each kind, those for all of them. */
export function actionWords(words: {
  readonly change: (proposed: ChangeOfTorrents) => string
  readonly push: (target: PushTarget) => string
  readonly subscription: (target: SubscriptionTarget) => string
  readonly plan: (target: SitePlanTarget) => string
}): ActionWords {
  return (proposed) => {
    switch (proposed.action) {
      case 'push':
        return words.push(proposed.targets[0])
      case 'subscribe':
        return words.subscription(proposed.targets[0])
      case 'site_plan':
        return words.plan(proposed.targets[0])
      default:
        return words.change(proposed)
    }
  }
}

/** As it may stand in a sentence: on one line, without marks that turn the line around or quote in either language. */
export function onLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}「」“”]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Whether a sentence can show it as it is, so that no two of them read the same. */
export function canBeShown(text: string): boolean {
  return onLine(text) === text
}

/** Names of releases differ at both ends, so that a long one is cut in its middle. */
const nameCharactersMax = 80
const nameEndCharacters = 30

/** A name as it is shown. */
export function shownName(name: string): string {
  const characters = [...onLine(name)]
  if (characters.length <= nameCharactersMax) return characters.join('')
  const start = characters.slice(0, nameCharactersMax - nameEndCharacters - 1)
  return `${start.join('')}…${characters.slice(-nameEndCharacters).join('')}`
}

const shownHashCharacters = 8

/** What tells each from the others: title, downloader, and the start of the hash where those are not enough. */
export function shownTorrents(
  targets: readonly TorrentTarget[],
): readonly { readonly title: string; readonly downloader: string; readonly hash: string | undefined }[] {
  const names = targets.map(({ title, downloader }) => `${shownName(title)} ${shownName(downloader)}`)
  return targets.map(({ title, downloader, info_hash: infoHash }, at) => {
    const line = onLine(title)
    const isAlone = names.filter((name) => name === names[at]).length === 1
    const isWhole = line !== '' && [...line].length <= nameCharactersMax
    return {
      title: shownName(title),
      downloader: shownName(downloader),
      hash: isAlone && isWhole ? undefined : infoHash.slice(0, shownHashCharacters),
    }
  })
}

/** The site as the owner calls it, and by its name where that is another one. */
export function shownSite({ site, site_title: siteTitle }: Pick<PushTarget, 'site' | 'site_title'>): {
  name: string
  title: string | undefined
} {
  const title = shownName(siteTitle)
  return { name: onLine(site), title: title === '' || title === site ? undefined : title }
}
