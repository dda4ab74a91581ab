import { type ParseResult, type ParserOptions, parseSync } from 'oxc-parser'
import type { Language } from '../../core/vocabulary.ts'

/**
 * Whether syntax trees are read out of memory shared with the parser instead of out of a text. It is three times as
 * fast and makes a tenth of the garbage, but takes a moment to warm up and some gigabytes of address space (not of
 * memory), so that only processes that parse many files ask for it.
 */
let isSharedMemoryUsed = false

export function parseManyScripts(): void {
  isSharedMemoryUsed = true
}

export function parseScript(path: string, language: Language, text: string): ParseResult {
  const isDeclaration = /\.d\.[mc]?ts$/.test(path)
  const isTyped = language === 'typescript' || language === 'vue' || language === 'svelte'
  const options: ParserOptions = {
    lang: isDeclaration ? 'dts' : isTyped ? 'ts' : language === 'tsx' ? 'tsx' : 'jsx',
    sourceType: 'unambiguous',
    preserveParens: false,
  }
  if (isSharedMemoryUsed) {
    try {
      return parseSync(path, text, { ...options, experimentalRawTransfer: true } as ParserOptions)
    } catch (error) {
      if (error instanceof RangeError && error.message.includes('call stack')) throw error
      // Where address space is limited, or on a platform without it, the other way works.
      isSharedMemoryUsed = false
    }
  }
  return parseSync(path, text, options)
}
