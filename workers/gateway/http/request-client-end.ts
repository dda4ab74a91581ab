import { readBytes } from '#shared/http/strict-json-body.ts'
import { failWith } from '#shared/kernel/result.ts'
import type { ClientEnd } from '../ports.ts'

/** The client's end as every web-standard runtime shows it. */
export function requestClientEnd(request: Request): ClientEnd {
  return {
    async readBody(bytesMax) {
      try {
        return await readBytes(request.body, bytesMax)
      } catch {
        return failWith('cut')
      }
    },
    onLeave(leave) {
      if (request.signal.aborted) leave()
      else request.signal.addEventListener('abort', leave, { once: true })
    },
  }
}
