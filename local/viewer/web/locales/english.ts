/** English is the shape: another language that lacks a key does not compile. */
import { accuracy } from './english/accuracy.ts'
import { change } from './english/change.ts'
import { deadCode } from './english/dead-code.ts'
import { entries } from './english/entries.ts'
import { file } from './english/file.ts'
import { files } from './english/files.ts'
import { flow } from './english/flow.ts'
import { frame } from './english/frame.ts'
import { home } from './english/home.ts'
import { map } from './english/map.ts'
import { routes } from './english/routes.ts'
import { symbol } from './english/symbol.ts'
import { text } from './english/text.ts'
import { trails } from './english/trails.ts'

export const english = {
  accuracy,
  change,
  deadCode,
  entries,
  file,
  files,
  flow,
  frame,
  home,
  map,
  routes,
  symbol,
  text,
  trails,
}
export type Words = typeof english
