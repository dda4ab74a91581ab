import { type JsonRecord, numberOf, parseJson, recordOf } from '#shared/kernel/json-record.ts'
import type { TokenCount } from './call-record.ts'

/**
 * What an answer in a dialect of the others says of its tokens, found in the last part of its text: whole answers and
 * streams both end with it. The three dialects have names of their own for the same counts.
 */
export function usageInText(text: string): TokenCount | undefined {
  for (let at = text.lastIndexOf('"usage"'); at >= 0; at = at === 0 ? -1 : text.lastIndexOf('"usage"', at - 1)) {
    const usage = usageAt(text, at)
    const count = usage === undefined ? undefined : tokensOf(usage)
    if (count !== undefined) return count
  }
  return undefined
}

/**
 * The same of an answer whose first and last part are known. A stream of the messages dialect tells the input at its
 * beginning and what came of it near its end, and says itself when it is over.
 */
export function passedUsage(
  head: string,
  tail: string,
): { readonly tokens: TokenCount | undefined; readonly isBroken: boolean } {
  const isMessages = /^event: ?message_start\b/.test(head)
  if (!isMessages) return { tokens: usageInText(tail), isBroken: false }
  const isBroken = !/^event: ?message_stop\b/m.test(tail)
  const last = tail.includes('"message_delta"') ? lastUsage(tail) : undefined
  if (last === undefined) return { tokens: undefined, isBroken }
  const told = Object.entries(last).filter(([, count]) => count !== null)
  return { tokens: tokensOf({ ...firstUsage(head), ...Object.fromEntries(told) }), isBroken }
}

function lastUsage(text: string): JsonRecord | undefined {
  return usageAt(text, text.lastIndexOf('"usage"'))
}

function firstUsage(text: string): JsonRecord | undefined {
  return usageAt(text, text.indexOf('"usage"'))
}

function usageAt(text: string, at: number): JsonRecord | undefined {
  const open = at < 0 ? -1 : text.indexOf('{', at)
  return open < 0 ? undefined : recordOf(parseJson(text.slice(open, closingBrace(text, open) + 1)))
}

/** Where the object ends that begins there; counts hold no text with braces in it. */
function closingBrace(text: string, open: number): number {
  let depth = 0
  for (let index = open; index < text.length; index += 1) {
    if (text[index] === '{') depth += 1
    else if (text[index] === '}') {
      depth -= 1
      if (depth === 0) return index
    }
  }
  return text.length
}

export function tokensOf(usage: JsonRecord): TokenCount | undefined {
  const output = numberOf(usage['completion_tokens']) ?? numberOf(usage['output_tokens'])
  const whole = numberOf(usage['prompt_tokens']) ?? numberOf(usage['input_tokens'])
  if (output === undefined && whole === undefined) return undefined
  const details = recordOf(usage['prompt_tokens_details']) ?? recordOf(usage['input_tokens_details']) ?? {}
  const made = recordOf(usage['completion_tokens_details']) ?? recordOf(usage['output_tokens_details']) ?? {}
  const beside = numberOf(usage['cache_read_input_tokens'])
  const written = numberOf(usage['cache_creation_input_tokens'])
  const within = numberOf(details['cached_tokens']) ?? 0
  const writtenWithin = numberOf(details['cache_write_tokens']) ?? 0
  return {
    // One dialect counts cached tokens beside the input, the others as part of it.
    input: Math.max(0, (whole ?? 0) - within - writtenWithin),
    cacheRead: beside ?? within,
    cacheWrite: written ?? writtenWithin,
    output: output ?? 0,
    reasoning: Math.min(numberOf(made['reasoning_tokens']) ?? numberOf(made['thinking_tokens']) ?? 0, output ?? 0),
  }
}
