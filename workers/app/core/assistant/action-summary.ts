/** The one sentence that somebody says yes or no to. Written from what is, never from what the model said. */

/** A name from outside as it may stand in a sentence: on one line, without marks that turn the line around. */
function quoted(name: string): string {
  const line = name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  const short =
    characters.length <= nameCharactersMax ? line : `${characters.slice(0, nameCharactersMax - 1).join('')}…`
  return `「${short.replace(/[「」]/g, ' ')}」`
}

const nameCharactersMax = 80

export interface NamedTarget {
  readonly title: string
  readonly downloader: string
}

export type TorrentChange = 'pause' | 'resume' | 'delete' | 'delete_with_files'

export function summarizeChange(change: TorrentChange, targets: readonly NamedTarget[]): string {
  const names = targets.map(({ title, downloader }) => `${quoted(title)}（${plain(downloader)}）`).join('、')
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

export function summarizePush(push: {
  readonly site: string
  readonly torrentId: string
  /** As the site's search showed it; undefined when nobody searched. */
  readonly title?: string
  readonly downloader: string
}): string {
  const name = push.title === undefined ? '' : quoted(push.title)
  return `把站点 ${plain(push.site)} 的种子${name}（编号 ${plain(push.torrentId)}）推送到下载器 ${plain(push.downloader)}。`
}

export function summarizeSubscription(wanted: {
  /** As the metadata provider calls it. */
  readonly title: string
  readonly year?: number
  /** 0 for a film. */
  readonly season: number
  readonly upgrade: boolean
}): string {
  const year = wanted.year === undefined ? '' : `（${wanted.year}）`
  const what = wanted.season === 0 ? '影片' : '剧集'
  const season = wanted.season === 0 ? '' : `第 ${wanted.season} 季`
  return `订阅${what}${quoted(wanted.title)}${year}${season}，自动搜索并下载${wanted.upgrade ? '，有更好的画质时替换' : ''}。`
}

function plain(name: string): string {
  return quoted(name).slice(1, -1)
}
