import type { Answer } from '../../core/failure.ts'

/** An answer from inside an opened index: opening may fail, and so may answering. */
export function flatten<T>(answer: Answer<Answer<T>>): Answer<T> {
  return answer.ok ? answer.value : answer
}
