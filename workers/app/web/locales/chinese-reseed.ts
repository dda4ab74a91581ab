import type { englishReseed } from './english-reseed.ts'

export const chineseReseed: typeof englishReseed = {
  reseed: {
    lead: '在其他站点查找下载器里已有的内容：站点支持时按分块哈希，下方的辅种服务收录了站点时由它查询，否则按名称和体积。只采用文件完全相同的种子：先暂停添加并校验，数据完整后才开始做种；不会下载任何数据。',
    enabled: '启用辅种',
    sites: '在这些站点查找',
    asked: (count) => `24 小时内请求 ${count} 次`,
    ways: { pieces: '按分块', service: '经辅种服务', name: '按名称' },
    foundBy: (way, count) => `${way}找到 ${count} 个`,
    service: '辅种服务（IYUU）',
    serviceLead:
      '按 info hash 查询这些站点中哪些有相同的文件，与下载器种类无关。它会得知磁盘上已有内容的 info hash，以及你勾选了哪些站点。没有令牌时不会请求。',
    token: '令牌',
    known: (count) => `它收录了你的 ${count} 个站点。上次答复：`,
    asks: '每站点 24 小时内的请求数',
    asksHint: '每次查询、搜索和下载种子文件各算一次；部分站点会统计。',
    asksWrong: (max) => `2 到 ${max} 之间的整数。`,
    noSites: '还没有站点',
    noSitesBody: '请先添加可以搜索的站点。',
    found: '查找结果',
    emptyTitle: '还没有查找过',
    emptyBody: '从最大的种子开始，每五分钟查找一次。',
    states: {
      none: '没有',
      other: '文件不同',
      unanswered: '未答复',
      told: '待比对',
      present: '已存在',
      adding: '添加中',
      checking: '校验中',
      seeding: '做种中',
      failed: '数据不完整',
    },
  },
}
