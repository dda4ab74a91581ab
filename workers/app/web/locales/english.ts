/** Every word of the console. The shape of this object is the dictionary: another language lacking a key does not compile. */
import { englishFirst } from './english-first.ts'
import { englishRest } from './english-rest.ts'

export const english = { ...englishFirst, ...englishRest }

export type Words = typeof english
