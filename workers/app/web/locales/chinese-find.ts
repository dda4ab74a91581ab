import type { englishFind } from './english-find.ts'

export const chineseFind: typeof englishFind = {
  find: {
    title: '查找任何内容',
    hint: '页面、站点、种子、订阅、操作',
    groups: { screens: '页面', actions: '操作', sites: '站点', torrents: '种子', subscriptions: '订阅' },
    addTorrents: '添加种子',
    addSite: '添加站点',
    addDownloader: '添加下载器',
    addSubscription: '订阅影视',
    light: '浅色主题',
    dark: '深色主题',
    allTorrents: (words: string) => `含“${words}”的全部种子`,
    searchSites: (words: string) => `在站点中搜索“${words}”`,
    found: (count: number) => `${count} 个结果`,
    none: '没有找到。',
    partly: '部分内容未能读取。',
  },
}
