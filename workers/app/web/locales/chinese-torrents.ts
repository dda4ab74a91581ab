/** What stands about a torrent beyond its row: what its state does not tell, adding one, and its details. */
import type { englishTorrents } from './english-torrents.ts'

export const chineseTorrents: typeof englishTorrents = {
  torrent: {
    conditions: {
      local_error: '下载器出错',
      missing_files: '文件丢失',
      tracker_error: 'Tracker 出错',
      tracker_warning: 'Tracker 警告',
      no_peers: '没有连接',
      stalled: '没有传输',
      metadata: '获取元数据',
      moving: '正在移动',
    },
    conditionFilter: '停滞的原因',
    filterCondition: (condition) => `“${condition}”`,
    said: '原话',
  },
}
