import { counted, grouped } from '../numbers.ts'

export const accuracy = {
  title: 'Accuracy',
  about:
    'How many links of this index a compiler confirms. A link is a use of a symbol and what it means; certain and possible ones are counted apart.',
  noneTitle: 'Nothing has been proved yet',
  noneBody: (links: number) =>
    `${counted(links, 'certain link was', 'certain links were')} found, and no compiler has said anything about them: how many are right is not known. TypeScript and JavaScript are judged by their compiler while this page is open, or by “indexer prove”; other languages by a compiler's index in the SCIP form, read by “indexer import FILE.scip”.`,
  right: 'Certain links right',
  rightNote: (right: number, judged: number, from: string, to: string) =>
    `${grouped(right)} of ${grouped(judged)} judged; ${from} to ${to} % likely`,
  recall: 'Uses found',
  recallNote: (found: number, sites: number) =>
    `${grouped(found)} of ${counted(sites, 'use of a function has', 'uses of functions have')} a link`,
  judged: 'Judged by a compiler',
  judgedNote: (judged: number, links: number) =>
    `${grouped(judged)} of ${counted(links, 'certain link', 'certain links')}`,
  possible: 'Possible links right',
  possibleNote: (right: number, judged: number, links: number) =>
    `${grouped(right)} of ${grouped(judged)} judged; ${grouped(links)} in all`,
  notKnown: 'not known',
  changed: (files: number) =>
    `${counted(files, 'file has', 'files have')} changed since and ${files === 1 ? 'counts' : 'count'} as not judged. The next check or import judges ${files === 1 ? 'it' : 'them'}.`,
  checking: 'The compiler is being asked: these figures grow until it is done.',
  checked: (judged: number, files: number, tool: string) =>
    `${grouped(judged)} of ${counted(files, 'file', 'files')} asked of ${tool}`,
  notJudged: 'Not judged',
  notJudgedNone: 'No file was given up.',
  notJudgedReasons: {
    too_slow: 'the compiler took too long',
    too_much_memory: 'the compiler took too much memory',
    compiler_failed: 'the compiler failed',
  },
  byLanguage: 'By language',
  tools: (names: string) => `judged by ${names}`,
  language: 'Language',
  files: 'Files judged',
  links: 'Certain links',
  wrongCount: 'Wrong',
  wrong: 'Contradicted by a compiler',
  wrongNone: 'No link was contradicted.',
  missed: 'Uses without a link',
  missedNone: 'Every use of a function that was judged has a link.',
  of: (part: number, all: number) => `${grouped(part)} of ${grouped(all)}`,
  certain: 'certain',
  guessed: 'possible',
  shown: (shown: number, total: number) =>
    shown === total ? grouped(total) : `${grouped(shown)} of ${grouped(total)} shown`,
  all: 'All',
}
