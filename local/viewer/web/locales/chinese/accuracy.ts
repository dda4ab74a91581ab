import type { Words } from '../english.ts'
import { grouped } from '../numbers.ts'

export const accuracy: Words['accuracy'] = {
  title: '准确度',
  about: '编译器确认了这份索引的多少关系。一条关系是一处使用及其所指的符号；确定的与可能的分开计数。',
  noneTitle: '尚无任何证明',
  noneBody: (links) =>
    `找到 ${grouped(links)} 条确定的关系，但没有编译器对它们作过判断：有多少正确尚不可知。用“indexer import FILE.scip”读入编译器的 SCIP 索引，即可判断其中各文件的每条关系。`,
  right: '确定关系的正确率',
  rightNote: (right, judged, from, to) =>
    `已判断 ${grouped(judged)} 条，正确 ${grouped(right)} 条；可能在 ${from} 到 ${to} % 之间`,
  recall: '已找到的使用',
  recallNote: (found, sites) => `${grouped(sites)} 处函数使用中，${grouped(found)} 处有关系`,
  judged: '经编译器判断',
  judgedNote: (judged, links) => `${grouped(links)} 条确定关系中的 ${grouped(judged)} 条`,
  possible: '可能关系的正确率',
  possibleNote: (right, judged, links) =>
    `已判断 ${grouped(judged)} 条，正确 ${grouped(right)} 条；共 ${grouped(links)} 条`,
  notKnown: '未知',
  changed: (files) => `有 ${grouped(files)} 个文件此后改动过，按未判断计。重新导入即可再作判断。`,
  byLanguage: '按语言',
  tools: (names) => `由 ${names} 判断`,
  language: '语言',
  files: '已判断文件',
  links: '确定关系',
  wrongCount: '错误',
  wrong: '与编译器相左',
  wrongNone: '没有关系与编译器相左。',
  missed: '没有关系的使用',
  missedNone: '已判断的每处函数使用都有关系。',
  of: (part, all) => `${grouped(all)} 中的 ${grouped(part)}`,
  certain: '确定',
  guessed: '可能',
  shown: (shown, total) => (shown === total ? grouped(total) : `${grouped(total)} 条，显示 ${grouped(shown)} 条`),
  all: '全部',
}
