import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ResponsesRequest } from '../contract/responses-request.ts'
import { type Failure, failure } from '../core/failure.ts'
import { type JsonRecord, textOf } from '../core/json-record.ts'
import type { ResponseStore } from '../ports.ts'

/** The whole input of a request: what an earlier answer knew, and its own items with references filled in. */
export async function wholeInput(
  request: ResponsesRequest,
  store: ResponseStore,
): Promise<Result<readonly JsonRecord[], Failure>> {
  if (request.conversation != null) {
    const id = typeof request.conversation === 'string' ? request.conversation : request.conversation.id
    return failWith(failure('not_found', `Conversation with id '${shown(id)}' not found.`, { param: 'conversation' }))
  }
  const items: JsonRecord[] = []
  const previousId = request.previous_response_id
  if (previousId != null) {
    const previous = await store.get(previousId)
    if (previous === undefined) {
      return failWith(
        failure('previous_response_not_found', `Previous response with id '${shown(previousId)}' not found.`, {
          param: 'previous_response_id',
        }),
      )
    }
    items.push(...previous.items)
  }
  const given: readonly JsonRecord[] =
    typeof request.input === 'string' ? [{ role: 'user', content: request.input }] : request.input
  for (const [index, item] of given.entries()) {
    if (item['type'] !== 'item_reference') {
      items.push(item)
      continue
    }
    const id = textOf(item['id']) ?? ''
    const found = await store.item(id)
    if (found === undefined) {
      return failWith(
        failure(
          'bad_request',
          `Item with id '${shown(id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
          { param: `input[${index}]` },
        ),
      )
    }
    // A client that refers to items of an answer may also have named that answer.
    if (!items.includes(found)) items.push(found)
  }
  return succeed(items)
}

function shown(id: string): string {
  return id.length > 100 ? `${id.slice(0, 100)}…` : id
}
