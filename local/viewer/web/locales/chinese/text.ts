import type { Words } from '../english.ts'
import { grouped } from '../numbers.ts'

export const text: Words['text'] = {
  title: '文本',
  about: '在索引所含文件的各行中查找：消息、字面量、注释，一切没有名称的内容。',
  label: '要查找的文本',
  path: '路径的一部分',
  how: '查找方式',
  regex: '正则',
  regexTitle: '正则表达式，不支持环视和反向引用',
  case: '区分大小写',
  word: '整词',
  found: (lines, files) => `${grouped(files)} 个文件，${grouped(lines)} 行`,
  searched: (files) => `已查找 ${grouped(files)} 个文件`,
  cut: '还有更多行未显示。请缩小文本或路径的范围。',
  cutFile: (lines) => `前 ${grouped(lines)} 行`,
  noneTitle: (text) => `没有一行含有“${text}”`,
  noneBody: (files) => `已查找索引中的 ${grouped(files)} 个文件。非源码文件、被忽略的文件和索引未收录的文件不在其中。`,
  drift: '当前内容',
}
