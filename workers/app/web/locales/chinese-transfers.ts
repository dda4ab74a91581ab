import type { englishTransfers } from './english-transfers.ts'

export const chineseTransfers: typeof englishTransfers = {
  transfers: {
    heading: '下载器之间的转移',
    begin: '转移到另一个下载器',
    title: (count) => `把 ${count} 个种子转移到另一个下载器`,
    how: '数据留在原处。目标下载器以暂停状态添加种子并校验；只有数据完整时才由它接手，原下载器随后移除任务。',
    to: '转移到',
    noOther: '没有其他已启用的下载器。',
    here: '目录在当前下载器中的路径',
    there: '同一目录在目标下载器中的路径',
    folderHint: '两边路径相同时都留空。',
    folderHalf: '两个路径都要填写，或都留空。',
    states: {
      waiting: '等待',
      adding: '添加中',
      checking: '校验中',
      switching: '接手中',
      done: '已转移',
      failed: '未转移',
    },
    stop: '停止',
    stopping: '正在停止',
    emptyTitle: '还没有转移过种子',
    emptyBody: '在列表中选择同一下载器的种子，在菜单里选“转移到另一个下载器”。',
  },
}
