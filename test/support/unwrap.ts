import type { Result } from '#shared/kernel/result.ts'

/** What came of something that a test takes for granted; a failure throws, with its facts. */
export function unwrap<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(typeof result.failure === 'string' ? result.failure : JSON.stringify(result.failure))
  return result.value
}
