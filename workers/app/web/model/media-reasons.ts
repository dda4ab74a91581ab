import { knownSentences } from './known-sentences.ts'

/**
 * What the service says about a torrent it organised, recognised in its sentences, so that a page can say it in its own
 * language. A test holds the list against what the service says; what the downloader said is recognised elsewhere.
 */
const sentences = {
  noFilmLibrary: '没有电影媒体库，留在原处',
  noSeriesLibrary: '没有剧集媒体库，留在原处',
  heldAlready: '媒体库中已有同样或更好的版本，留在原处',
  replaced: '已被更好的版本取代',
  filesDeleted: '种子和文件已从下载器中删除',
  gone: '种子已从下载器中移除',
  downloaderDeleted: '下载器已被删除',
  incomplete: '下载器中的种子还不完整',
  notMoved: '下载器没有把文件移动到媒体库，请检查目录和权限',
  busyFiles: '下载器正在校验或移动这个种子',
} as const

export type MediaReasonName = keyof typeof sentences

const find = knownSentences(sentences)

export function mediaReasonOf(message: string): MediaReasonName | undefined {
  return find(message)?.name
}
