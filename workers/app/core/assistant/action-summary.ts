/** The one sentence that somebody says yes or no to. Written from what is, never from what the model said. */

/** As it may stand in a sentence: on one line, without marks that turn the line around or quote. */
function onLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}「」]+/gu, ' ')
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

function isLong(name: string): boolean {
  return [...onLine(name)].length > nameCharactersMax
}

function plain(name: string): string {
  const characters = [...onLine(name)]
  if (characters.length <= nameCharactersMax) return characters.join('')
  const start = characters.slice(0, nameCharactersMax - nameEndCharacters - 1)
  return `${start.join('')}…${characters.slice(-nameEndCharacters).join('')}`
}

function quoted(name: string): string {
  return `「${plain(name)}」`
}

export interface NamedTarget {
  readonly title: string
  readonly downloader: string
  /** Shown in part where the title does not tell it from another one. */
  readonly infoHash: string
}

const shownHashCharacters = 8

export type TorrentChange = 'pause' | 'resume' | 'delete' | 'delete_with_files'

export function summarizeChange(change: TorrentChange, targets: readonly NamedTarget[]): string {
  const names = targets.map((one) => nameOf(one, targets)).join('、')
  const count = targets.length === 1 ? '种子' : ` ${targets.length} 个种子`
  switch (change) {
    case 'pause':
      return `暂停${count}：${names}。`
    case 'resume':
      return `继续${count}：${names}。`
    case 'delete':
      return `从下载器中移除${count}，保留文件：${names}。`
    case 'delete_with_files':
      return `删除${count}和它们的文件，文件不能恢复：${names}。`
  }
}

function nameOf({ title, downloader, infoHash }: NamedTarget, targets: readonly NamedTarget[]): string {
  const name = `${plain(title)} ${plain(downloader)}`
  const namesakes = targets.filter((other) => `${plain(other.title)} ${plain(other.downloader)}` === name)
  const hash = namesakes.length > 1 || isLong(title) || onLine(title) === '' ? infoHash : ''
  return `${quoted(title)}（${plain(downloader)}${hash === '' ? '' : `，${hash.slice(0, shownHashCharacters)}`}）`
}

export function summarizePush(push: {
  readonly site: string
  /** As the owner calls the site; empty for nothing but its name. */
  readonly siteTitle: string
  readonly torrentId: string
  /** As the site's search showed it; undefined when nobody searched. */
  readonly title?: string
  readonly downloader: string
  /** These two are shown whole: who gives them asks `canBeShown` first. */
  readonly category?: string
  readonly tags?: string
}): string {
  const name = push.title === undefined ? '' : quoted(push.title)
  const site = plain(push.siteTitle)
  const from = site === '' || site === push.site ? push.site : `${site}（${push.site}）`
  const category = push.category === undefined || push.category === '' ? '' : `，分类「${push.category}」`
  const tags = push.tags === undefined || push.tags === '' ? '' : `，标签「${push.tags}」`
  return `把站点 ${onLine(from)} 的种子${name}（编号 ${onLine(push.torrentId)}）推送到下载器 ${plain(push.downloader)}${category}${tags}。`
}

export function summarizeSubscription(wanted: {
  /** As the metadata provider calls it. */
  readonly title: string
  readonly tmdbId: number
  readonly year?: number
  /** 0 for a film. */
  readonly season: number
  readonly upgrade: boolean
}): string {
  const year = wanted.year === undefined ? '' : `${wanted.year}，`
  const what = wanted.season === 0 ? '影片' : '剧集'
  const season = wanted.season === 0 ? '' : `第 ${wanted.season} 季`
  const upgrade = wanted.upgrade ? '，有更好的画质时替换' : ''
  return `订阅${what}${quoted(wanted.title)}（${year}TMDB ${wanted.tmdbId}）${season}，自动搜索并下载${upgrade}。`
}
