import { counted, grouped } from '../numbers.ts'

export const file = {
  outline: 'Outline',
  noOutline: 'No definition was found in this file.',
  usedTimes: (count: number) => `used ${counted(count, 'time', 'times')}`,
  facts: (symbols: number, calls: number) =>
    `${counted(symbols, 'symbol', 'symbols')}, ${counted(calls, 'call', 'calls')} when loaded`,
  callsInside: (count: number) => `${counted(count, 'call', 'calls')} inside the file`,
  lines: (count: number) => counted(count, 'line', 'lines'),
  imports: 'Imports',
  importedBy: 'Imported by',
  noImports: 'It imports no file of the index.',
  notImported: 'No file of the index imports it.',
  filesCount: (count: number) => counted(count, 'file', 'files'),
  moreNames: (count: number) => `+${grouped(count)}`,
  outside: 'From outside the index',
  errors: 'It could not be read completely:',
  sourceOf: (file: string) => `Source of ${file}`,
  part: (from: number, to: number, total: number) => `Lines ${grouped(from)} to ${grouped(to)} of ${grouped(total)}`,
  before: 'Lines before',
  after: 'Lines after',
  callsCut: (shown: number, total: number) =>
    `Calls beside the lines: the first ${grouped(shown)} of ${grouped(total)}`,
  filesIn: (folder: string) => `Files in ${folder}`,
  alone: 'Open by itself',
  toTree: 'Tree of files',
  toOutline: 'Outline',
  toCalls: 'Calls',
  showAll: (count: number) => `Show all ${grouped(count)}`,
  goneTitle: 'The index has no such file',
  goneBody: 'It appears after the next sync, or it is excluded by the ignore rules of the project.',
  search: 'Search for its name',
}
