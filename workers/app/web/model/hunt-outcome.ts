import { knownSentences } from './known-sentences.ts'
import { type TorrentSpan, torrentSpan } from './subscription-facts.ts'

/**
 * What came of a search for a subscription, recognised in the server's sentence, so that a page can say it in its own
 * language. A test holds the list against what the server says; a sentence that is not here is shown as it is.
 */
const sentences = {
  pushed: '推送了 ([0-9]+) 个种子(?:：(.+))?',
  notPushed: '(种子|整季|第 [0-9]+(?:-[0-9]+)? 集)未能推送：(.+)',
  nothingFound: '没有找到种子',
  nothingFits: '没有找到合适的种子，([0-9]+) 个结果中：(.+)',
  nothingWanted: '目前没有要找的内容',
  noSites: '没有可以搜索的站点',
  noDownloader: '没有已启用的下载器',
  downloaderOff: '没有这个下载器，或它未启用',
  allThere: '已全部入库',
  crashed: '服务内部错误',
  failedAt: '(.{1,64})：(.+)',
} as const

/** Why a release that was found is not taken. */
const refusals = {
  other_title: '不是这部作品或这一季',
  not_wanted: '不含缺少的内容',
  site: '站点不在方案中',
  leaked: '枪版',
  resolution: '分辨率不符',
  source: '来源不符',
  words: '关键词不符',
  size: '大小不符',
  seeders: '做种人数不足',
  not_free: '不是免费',
  hit_and_run: '有 H&R 要求',
} as const

const reasons = {
  already: '已经推送过',
  cut: '推送被中断',
  siteBusy: '站点正在推送其他种子',
  notComplete: '没有下载完成',
  neverComplete: '一直没有下载完成',
  neverOrganised: '一直没有入库',
} as const

export type HuntRefusalName = keyof typeof refusals
export type HuntReasonName = keyof typeof reasons
export type HuntSayingName = Exclude<keyof typeof sentences, 'pushed' | 'notPushed' | 'nothingFits' | 'failedAt'>

export type HuntPart =
  /** Of a film nothing says what they cover. */
  | { readonly kind: 'pushed'; readonly count: number; readonly covers: readonly TorrentSpan[] }
  | { readonly kind: 'notPushed'; readonly covers: TorrentSpan | undefined; readonly reason: string }
  | {
      readonly kind: 'nothingFits'
      readonly total: number
      readonly refused: readonly { readonly why: HuntRefusalName; readonly count: number }[]
    }
  /** Where, and why it could not be asked. */
  | { readonly kind: 'failedAt'; readonly where: string; readonly reason: string }
  | { readonly kind: HuntSayingName }

const find = knownSentences(sentences)
const findRefusal = knownSentences(refusals)
const findReason = knownSentences(reasons)

export function huntReasonOf(text: string): HuntReasonName | undefined {
  return findReason(text)?.name
}

/** Undefined when any part of it is not of the list. */
export function huntOutcomeOf(message: string): readonly HuntPart[] | undefined {
  const failed = /^搜索失败：(.+)$/u.exec(message)?.[1]
  const parts = failed === undefined ? message.split('；').map(partOf) : failed.split('；').map(failureOf)
  return parts.every((part) => part !== undefined) ? parts : undefined
}

/** When no site could be searched, reasons come before the sites. */
function failureOf(text: string): HuntPart | undefined {
  const [, reason, where] = /^(.+)（(.+)）$/u.exec(text) ?? []
  return reason === undefined || where === undefined ? undefined : { kind: 'failedAt', where, reason }
}

function partOf(text: string): HuntPart | undefined {
  const known = find(text)
  if (known === undefined) return undefined
  const [first = '', second = ''] = known.parts
  switch (known.name) {
    case 'pushed': {
      const covers = second === '' ? [] : second.split('、').map(spanOf)
      return covers.every((span) => span !== undefined) ? { kind: 'pushed', count: Number(first), covers } : undefined
    }
    case 'notPushed':
      return { kind: 'notPushed', covers: spanOf(first), reason: second }
    case 'nothingFits': {
      const refused = second.split('，').map(refusedOf)
      return refused.every((one) => one !== undefined)
        ? { kind: 'nothingFits', total: Number(first), refused }
        : undefined
    }
    case 'failedAt':
      return { kind: 'failedAt', where: first, reason: second }
    default:
      return { kind: known.name }
  }
}

function refusedOf(text: string): { readonly why: HuntRefusalName; readonly count: number } | undefined {
  const [, count, reason = ''] = /^([0-9]+) 个(.+)$/u.exec(text) ?? []
  const why = findRefusal(reason)?.name
  return why === undefined ? undefined : { why, count: Number(count) }
}

function spanOf(text: string): TorrentSpan | undefined {
  if (text === '整季') return torrentSpan({})
  const [, from, to] = /^第 ([0-9]+)(?:-([0-9]+))? 集$/.exec(text) ?? []
  if (from === undefined) return undefined
  return torrentSpan({ episode: Number(from), ...(to === undefined ? {} : { episode_end: Number(to) }) })
}
