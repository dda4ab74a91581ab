import { counted, grouped } from '../numbers.ts'

export const files = {
  title: 'Files',
  tree: 'Files and folders',
  files: (count: number) => counted(count, 'file', 'files'),
  leftOut: (count: number) => `${counted(count, 'file', 'files')} not in the index`,
  notInIndex: 'Not in the index:',
  notWhole: 'Not all of it is in the index:',
  more: (shown: number, total: number) => `${grouped(shown)} of ${grouped(total)}. Show more`,
  cut: (shown: number, total: number) => `The first ${grouped(shown)} of ${grouped(total)}`,
  searched: (text: string, lines: number, isCut: boolean) =>
    `“${text}”: ${isCut ? 'more than ' : ''}${counted(lines, 'line', 'lines')}`,
  putAway: 'Without what the search found',
  hits: (lines: number) => `${counted(lines, 'line', 'lines')} found`,
  languages: 'Languages',
  onMap: 'On the map',
  inText: 'Search the text here',
  empty: 'The index has no file here.',
}
