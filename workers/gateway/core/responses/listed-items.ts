import { type JsonRecord, textOf } from '#shared/kernel/json-record.ts'

/** What a client said, as the reference lists it: words are parts of a message, and reasoning is sealed only on wish. */
export function listedItem(item: JsonRecord, includesEnvelope: boolean): JsonRecord {
  if (item['type'] === 'reasoning' && !includesEnvelope) {
    const { encrypted_content: _, ...shown } = item
    return shown
  }
  if (item['type'] !== undefined && item['type'] !== 'message') return item
  const { content, role } = item
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  const parts = typeof content === 'string' ? [{ type, text: content }] : content
  return { ...item, type: 'message', status: textOf(item['status']) ?? 'completed', content: parts }
}

interface Page {
  readonly limit: number
  readonly isAscending: boolean
  readonly after: string | undefined
}

/** Undefined: there is no item of the id after which the page is to begin. */
export function pageOf(items: readonly JsonRecord[], { limit, isAscending, after }: Page) {
  const ordered = isAscending ? items : items.toReversed()
  const start = after === undefined ? 0 : ordered.findIndex((item) => item['id'] === after) + 1
  if (after !== undefined && start === 0) return undefined
  const data = ordered.slice(start, start + limit)
  return {
    object: 'list',
    data,
    first_id: textOf(data[0]?.['id']) ?? null,
    last_id: textOf(data.at(-1)?.['id']) ?? null,
    has_more: start + limit < ordered.length,
  }
}
