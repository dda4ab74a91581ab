/** What waits for a yes, in Chinese: the `summary` that the interface document promises. */
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

export const actionInChinese = actionWords({ change, push, subscription, plan })

function quoted(shown: string): string {
  return `「${shown}」`
}

function change(proposed: ChangeOfTorrents): string {
  const { targets } = proposed
  const names = shownTorrents(targets)
    .map(({ title, downloader, hash }) => `${quoted(title)}（${downloader}${hash === undefined ? '' : `，${hash}`}）`)
    .join('、')
  const count = targets.length === 1 ? '种子' : ` ${targets.length} 个种子`
  switch (proposed.action) {
    case 'pause':
      return `暂停${count}：${names}。`
    case 'resume':
      return `继续${count}：${names}。`
    case 'recheck':
      return `重新校验${count}的数据：${names}。`
    case 'reannounce':
      return `立即向 Tracker 汇报${count}：${names}。`
    case 'category':
      return proposed.value === ''
        ? `清除${count}的分类：${names}。`
        : `把${count}归入分类${quoted(proposed.value)}：${names}。`
    case 'tags':
      return proposed.value === ''
        ? `清除${count}的全部标签：${names}。`
        : `把${count}的标签改为${quoted(proposed.value)}：${names}。`
    case 'limits':
      return `${count.trim()}限速，上传${limit(proposed.upload_limit)}，下载${limit(proposed.download_limit)}：${names}。`
    case 'delete':
      return `从下载器中移除${count}，保留文件：${names}。`
    case 'delete_with_files':
      return `删除${count}和它们的文件，文件不能恢复：${names}。`
  }
}

function limit(bytes: number): string {
  return bytes === 0 ? '不限' : `每秒 ${bytes} 字节`
}

function push(target: PushTarget): string {
  const { name, title } = shownSite(target)
  const site = title === undefined ? name : `${title}（${name}）`
  const torrent = target.title === undefined ? '' : quoted(shownName(target.title))
  const category = target.category === undefined ? '' : `，分类${quoted(target.category)}`
  const tags = target.tags === undefined ? '' : `，标签${quoted(target.tags)}`
  return `把站点 ${site} 的种子${torrent}（编号 ${onLine(target.torrent_id)}）推送到下载器 ${shownName(target.downloader)}${category}${tags}。`
}

function subscription({ title, tmdb_id: tmdbId, year, season, upgrade }: SubscriptionTarget): string {
  const what = season === 0 ? '影片' : '剧集'
  const numbers = `（${year === undefined ? '' : `${year}，`}TMDB ${tmdbId}）`
  const part = season === 0 ? '' : `第 ${season} 季`
  return `订阅${what}${quoted(shownName(title))}${numbers}${part}，自动搜索并下载${upgrade ? '，有更好的画质时替换' : ''}。`
}

function plan(target: SitePlanTarget): string {
  const { name, title } = shownSite(target)
  const site = title === undefined ? name : `${title}（${name}）`
  const seeds = `开始做种下载器中的 ${target.seeds} 个种子`
  const pushes = `下载 ${target.pushes} 个免费种子，共 ${target.size} 字节`
  return `执行站点 ${site} 升到等级${quoted(shownName(target.level))}的计划（编号 ${target.plan_id}）：${seeds}，${pushes}。`
}
