import type { Context } from 'hono'
import type { Answer } from '../core/failure.ts'
import { failureResponse, jsonResponse } from './render-failure.ts'

export function answerWith<T>(answer: Answer<T>): Response {
  return answer.ok ? jsonResponse(JSON.stringify(answer.value), 200) : failureResponse(answer.failure)
}

/** An answer that follows from the published index alone: the same question about the same index has not changed. */
export function answerOfIndex<T>(c: Context, answer: Answer<{ readonly body: T; readonly stamp: string }>): Response {
  if (!answer.ok) return failureResponse(answer.failure)
  const tag = `W/"${answer.value.stamp}"`
  const known = c.req.header('if-none-match')
  if (known?.split(',').some((one) => one.trim() === tag)) {
    return new Response(null, { status: 304, headers: { ETag: tag, 'Cache-Control': 'no-store' } })
  }
  return jsonResponse(JSON.stringify(answer.value.body), 200, { ETag: tag })
}
