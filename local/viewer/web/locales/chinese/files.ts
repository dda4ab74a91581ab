import type { Words } from '../english.ts'
import { grouped } from '../numbers.ts'

export const files: Words['files'] = {
  title: '文件',
  tree: '文件与文件夹',
  files: (count) => `${grouped(count)} 个文件`,
  leftOut: (count) => `${grouped(count)} 个文件未收入索引`,
  notInIndex: '未收入索引：',
  notWhole: '索引未收全：',
  more: (shown, total) => `已显示 ${grouped(shown)} / ${grouped(total)}，显示更多`,
  cut: (shown, total) => `共 ${grouped(total)} 个，显示前 ${grouped(shown)} 个`,
  searched: (text, lines, isCut) => `“${text}”：${isCut ? '超过 ' : ''}${grouped(lines)} 行`,
  putAway: '不再显示搜索结果',
  hits: (lines) => `找到 ${grouped(lines)} 行`,
  languages: '语言',
  onMap: '在地图上',
  inText: '在此搜索文本',
  empty: '索引在这里没有文件。',
}
