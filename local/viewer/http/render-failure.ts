import type { FailureCode, ViewerFailure } from '../core/failure.ts'

/** The only place where a code meets a status. */
const statuses = {
  'bad-request': 400,
  refused: 403,
  'not-found': 404,
  'no-index': 503,
  'index-unusable': 503,
  internal: 500,
} as const satisfies Record<FailureCode, number>

function statusOf(code: FailureCode): (typeof statuses)[FailureCode] {
  return statuses[code]
}

export function failureBody(failure: Pick<ViewerFailure, 'code' | 'message' | 'hint'>): string {
  return JSON.stringify({
    error: failure.message,
    code: failure.code,
    ...(failure.hint === undefined ? {} : { hint: failure.hint }),
  })
}

const encoder = new TextEncoder()

export function jsonResponse(body: string, status: number, headers: Readonly<Record<string, string>> = {}): Response {
  // Encoded here, because a text would be encoded once for its length and once more to be sent.
  const bytes = encoder.encode(body)
  return new Response(bytes, {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(bytes.length),
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
}

export function failureResponse(failure: ViewerFailure, headers: Readonly<Record<string, string>> = {}): Response {
  return jsonResponse(failureBody(failure), statusOf(failure.code), headers)
}
