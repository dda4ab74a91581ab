import { type JsonRecord, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ResponsesRequest } from '../contract/responses-request.ts'
import { type Failure, failure } from '../core/failure.ts'
import type { ResponseStore } from '../ports.ts'

/** Whose answers a request may go on from, and when it asks. */
interface Asker {
  readonly store: Pick<ResponseStore, 'get' | 'items'>
  readonly owner: string
  readonly nowMs: number
}

export interface WholeInput {
  /** What an earlier answer knew. */
  readonly earlier: readonly JsonRecord[]
  /** The request's own items, with references filled in. */
  readonly own: readonly JsonRecord[]
}

/** All that a request is asked with. */
export async function wholeInput(
  request: ResponsesRequest,
  { store, owner, nowMs }: Asker,
): Promise<Result<WholeInput, Failure>> {
  if (request.conversation != null) {
    const id = typeof request.conversation === 'string' ? request.conversation : request.conversation.id
    return failWith(failure('not_found', `Conversation with id '${shown(id)}' not found.`, { param: 'conversation' }))
  }
  let earlier: readonly JsonRecord[] = []
  const own: JsonRecord[] = []
  const previousId = request.previous_response_id
  if (previousId != null) {
    const previous = await store.get(owner, previousId, nowMs)
    if (previous === undefined) {
      return failWith(
        failure('previous_response_not_found', `Previous response with id '${shown(previousId)}' not found.`, {
          param: 'previous_response_id',
        }),
      )
    }
    earlier = previous.items
  }
  const given: readonly JsonRecord[] =
    typeof request.input === 'string' ? [{ role: 'user', content: request.input }] : request.input
  const wanted = given.filter((item) => isReference(item) || lacksThoughts(item)).map(idOf)
  const kept = wanted.length === 0 ? [] : await store.items(owner, wanted, nowMs)
  for (const [index, item] of given.entries()) {
    const id = idOf(item)
    const found = kept.find((one) => one['id'] === id)
    if (!isReference(item)) {
      own.push(lacksThoughts(item) && found?.['type'] === 'reasoning' ? found : item)
      continue
    }
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
    if (![...earlier, ...own].some((known) => known['id'] === found['id'])) own.push(found)
  }
  return succeed({ earlier, own })
}

/** The reference lets a reference leave its kind out; then it has nothing but its id. */
function isReference(item: JsonRecord): boolean {
  const isBare = item['type'] == null && item['role'] === undefined && item['content'] === undefined
  return item['type'] === 'item_reference' || (isBare && idOf(item) !== '')
}

/** A client that relies on kept answers sends reasoning as it saw it, without what the model goes on from. */
function lacksThoughts(item: JsonRecord): boolean {
  return item['type'] === 'reasoning' && item['encrypted_content'] == null && idOf(item) !== ''
}

function idOf(item: JsonRecord): string {
  return textOf(item['id']) ?? ''
}

function shown(id: string): string {
  return id.length > 100 ? `${id.slice(0, 100)}…` : id
}
