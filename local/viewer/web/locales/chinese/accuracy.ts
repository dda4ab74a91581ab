import type { Words } from '../english.ts'
import { grouped } from '../numbers.ts'

export const accuracy: Words['accuracy'] = {
  title: '准确度',
  about: '编译器确认了这份索引的多少关系。一条关系是一处使用及其所指的符号；确定的与可能的分开计数。',
  noneTitle: '尚无任何证明',
  noneBody: (links) =>
    `找到 ${grouped(links)} 条确定的关系，但没有编译器对它们作过判断：有多少正确尚不可知。打开本页期间，TypeScript 与 JavaScript 由其编译器判断，也可用“indexer prove”；其他语言用“indexer import FILE.scip”读入编译器的 SCIP 索引来判断。`,
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
  changed: (files) => `有 ${grouped(files)} 个文件此后改动过，按未判断计。下次检查或导入时再作判断。`,
  checking: '正在询问编译器：完成之前，这些数字还会增加。',
  checked: (judged, files, tool) => `已向 ${tool} 询问 ${grouped(files)} 个文件中的 ${grouped(judged)} 个`,
  notJudged: '未判断',
  notJudgedNone: '没有文件被放弃。',
  notJudgedReasons: {
    too_slow: '编译器用时过长',
    too_much_memory: '编译器占用内存过多',
    compiler_failed: '编译器出错',
  },
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
