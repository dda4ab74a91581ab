import type { Words } from '../english.ts'
import { grouped } from '../numbers.ts'

export const file: Words['file'] = {
  outline: '大纲',
  noOutline: '此文件中没有找到定义。',
  usedTimes: (count) => `被使用 ${grouped(count)} 次`,
  facts: (symbols, calls, inside) =>
    [`${grouped(symbols)} 个符号`, `加载时调用 ${grouped(calls)} 次`, `文件内调用 ${grouped(inside)} 次`].join('，'),
  lines: (count) => `${grouped(count)} 行`,
  imports: '导入',
  importedBy: '被导入',
  noImports: '它没有导入索引中的文件。',
  notImported: '索引中没有文件导入它。',
  filesCount: (count) => `${grouped(count)} 个文件`,
  moreNames: (count) => `+${grouped(count)}`,
  outside: '来自索引之外',
  errors: '未能完整读取：',
  sourceOf: (file) => `${file} 的源码`,
  part: (from, to, total) => `第 ${grouped(from)} 至 ${grouped(to)} 行，共 ${grouped(total)} 行`,
  before: '前面的行',
  after: '后面的行',
  callsCut: (shown, total) => `行旁的调用：共 ${grouped(total)} 个，显示前 ${grouped(shown)} 个`,
  filesIn: (folder) => `${folder} 中的文件`,
  toOutline: '大纲',
  toCalls: '调用',
  showAll: (count) => `显示全部 ${grouped(count)} 个`,
  goneTitle: '索引中没有这个文件',
  goneBody: '下次同步后它会出现，或者它被项目的忽略规则排除。',
  search: '搜索它的名称',
}
