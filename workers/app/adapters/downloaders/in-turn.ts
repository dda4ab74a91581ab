import { type Result, succeed } from '#shared/kernel/result.ts'

/** One after another; the first that fails ends it. */
export async function inTurn<One, F>(
  all: Iterable<One>,
  act: (one: One) => Promise<Result<void, F>>,
): Promise<Result<void, F>> {
  for (const one of all) {
    const done = await act(one)
    if (!done.ok) return done
  }
  return succeed(undefined)
}
