import { accuracy } from './chinese/accuracy.ts'
import { change } from './chinese/change.ts'
import { deadCode } from './chinese/dead-code.ts'
import { entries } from './chinese/entries.ts'
import { file } from './chinese/file.ts'
import { files } from './chinese/files.ts'
import { flow } from './chinese/flow.ts'
import { frame } from './chinese/frame.ts'
import { home } from './chinese/home.ts'
import { map } from './chinese/map.ts'
import { routes } from './chinese/routes.ts'
import { symbol } from './chinese/symbol.ts'
import { text } from './chinese/text.ts'
import { trails } from './chinese/trails.ts'
import type { Words } from './english.ts'

export const chinese: Words = {
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
