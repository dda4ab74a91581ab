import { knownSentences } from './known-sentences.ts'

/**
 * Why a push was stopped or a pushed torrent is lost, recognised in the server's sentences, so that a page can say it in
 * its own language. A test holds the list against what the server says; a sentence that is not here is shown as it is.
 */
const amount = '([0-9.]+ GiB)'

const sentences = {
  spaceUnread: '无法读取下载器的剩余空间，已停止推送',
  spaceLow: `下载器剩余空间不足：扣除未完成的任务后剩余 (-?[0-9.]+ GiB)，需保留 ${amount}`,
  spaceTooLittle: `下载器剩余空间不足：剩余 (-?[0-9.]+ GiB)，种子大小 ${amount}，需保留 ${amount}`,
  capacityUnread: '无法读取站点的做种体积，已停止推送',
  capacityFull: `超过站点的做种容量：已有 ${amount}，种子大小 ${amount}，上限 ${amount}`,
  downloaderDeleted: '下载器已被删除',
  cutOff: '推送中断，下载器中没有这个种子',
  removed: '种子已从下载器中移除',
  fileRefused: '下载器不接受这个种子文件：文件有误，或它的版本不支持这种格式',
  notListed: '下载器已接受，但列表中还没有这个种子',
  lineFull: '这个站点正在推送其他种子，请稍后再试',
  interrupted: '推送被中断，结果请看推送记录',
  noDownloader: '没有可用的下载器',
} as const

export type PushReasonName = keyof typeof sentences

const find = knownSentences(sentences)

export interface PushReason {
  readonly name: PushReasonName
  /** The amounts it names, in the order it names them. */
  readonly amounts: readonly string[]
}

export function pushReasonOf(message: string): PushReason | undefined {
  const known = find(message)
  return known === undefined ? undefined : { name: known.name, amounts: known.parts }
}
