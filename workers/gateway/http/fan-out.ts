import { type Result, succeed } from '#shared/kernel/result.ts'
import type { Failure } from '../core/failure.ts'
import type { ChoiceEvent } from '../core/from-provider/many-choices.ts'
import type { EventBatches } from '../ports.ts'

/** The events of several answers in the order they come, each with the number of its answer. A failure ends all. */
export async function* mergedEvents(
  streams: readonly EventBatches[],
): AsyncGenerator<Result<readonly ChoiceEvent[], Failure>, void> {
  const next = async (choice: number) => ({ choice, batch: await streams[choice]?.next() })
  const pending = new Map(streams.map((_, choice) => [choice, next(choice)]))
  while (pending.size > 0) {
    const { choice, batch } = await Promise.race(pending.values())
    if (batch === undefined || batch.done === true) {
      pending.delete(choice)
      continue
    }
    if (!batch.value.ok) {
      yield batch.value
      return
    }
    pending.set(choice, next(choice))
    yield succeed(batch.value.value.map((event) => ({ ...event, choice })))
  }
}
