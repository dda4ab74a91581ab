import { knownSentences } from './known-sentences.ts'

/**
 * Why the server did not take something about subscriptions or quality profiles, recognised, so that a page can say it
 * in its own language. A test holds the list against what the server says.
 */
const sentences = {
  taken: '已经订阅过了',
  unknownTitle: '影视资料服务没有这部影片，或没有这一季',
  tooMany: '最多只能有 ([0-9]+) 个订阅',
  noProfile: '字段 profile_id 不正确：没有这个画质方案',
  noDownloader: '字段 downloader_id 不正确：没有这个下载器',
  gone: '没有这个订阅',
  notActive: '只有进行中的订阅可以搜索',
  searching: '正在为这个订阅搜索，请稍后再试',
  profileGone: '没有这个画质方案',
  profileNameTaken: '字段 name 不正确：已有同名的画质方案',
  tooManyProfiles: '最多只能有 ([0-9]+) 个画质方案',
  profileIsDefault: '这是默认的画质方案，请先把另一个方案设为默认',
} as const

export type SubscriptionRefusalName = keyof typeof sentences

export const subscriptionRefusalOf = knownSentences(sentences)
