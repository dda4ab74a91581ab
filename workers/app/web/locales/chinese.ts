import { chineseFirst } from './chinese-first.ts'
import { chineseRest } from './chinese-rest.ts'
import type { Words } from './english.ts'

export const chinese: Words = { ...chineseFirst, ...chineseRest }
