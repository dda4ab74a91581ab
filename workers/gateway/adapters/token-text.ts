import type { TokenText } from '../ports.ts'

/** Decodes tokens of the cl100k_base encoding. Its table is large, so it is loaded by the first request that needs it. */
export function tokenText(): TokenText {
  let loading: Promise<typeof import('gpt-tokenizer/encoding/cl100k_base')> | undefined
  return {
    async decode(tokens) {
      loading ??= import('gpt-tokenizer/encoding/cl100k_base')
      const { decode, vocabularySize } = await loading
      if (tokens.some((token) => token >= vocabularySize)) return undefined
      try {
        return decode(tokens)
      } catch {
        return undefined
      }
    },
  }
}
