import { counted, grouped } from '../numbers.ts'

export const text = {
  title: 'Text',
  about: 'Lines of the files of the index: messages, literals, comments, anything that has no name.',
  label: 'Text to look for',
  path: 'Part of a path',
  how: 'How to look',
  regex: 'Pattern',
  regexTitle: 'A regular expression, without look-around and back-references',
  case: 'Match case',
  word: 'Whole words',
  found: (lines: number, files: number) => `${counted(lines, 'line', 'lines')} in ${counted(files, 'file', 'files')}`,
  searched: (files: number) => `${counted(files, 'file', 'files')} searched`,
  cut: 'There are more lines than these. Narrow the text or the path.',
  cutFile: (lines: number) => `the first ${grouped(lines)}`,
  noneTitle: (text: string) => `No line holds “${text}”`,
  noneBody: (files: number) =>
    `${counted(files, 'file', 'files')} of the index were searched. Files without source, ignored ones and those the index left out are not.`,
  drift: 'as it is now',
}
