/** Tells the owner something through the channels of the service. The token goes to its address alone. */

import { notifyMsMax } from '../limits.ts'
import type { Note, NoteOutcome } from '../runtime/waiting-notes.ts'

export function createNoteSender(fetchIt: typeof fetch) {
  return async (url: string, token: string, note: Note): Promise<NoteOutcome> => {
    const place = `${url.replace(/\/+$/, '')}/api/app/v1/messages`
    try {
      const response = await fetchIt(place, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(note),
        // Elsewhere a redirect would take the token along.
        redirect: 'manual',
        signal: AbortSignal.timeout(notifyMsMax),
      })
      await response.body?.cancel()
      return response.ok ? { kind: 'sent' } : { kind: 'status', status: response.status }
    } catch (error) {
      return { kind: error instanceof DOMException && error.name === 'TimeoutError' ? 'slow' : 'unreachable' }
    }
  }
}
