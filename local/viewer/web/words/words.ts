import { chinese } from './chinese.ts'
import { dictionary } from './dictionary.ts'
import { english } from './english.ts'

export const words = dictionary(english, chinese)
