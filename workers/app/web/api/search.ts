/** Search, pushes, and what was pushed. */
import { ServerSentDecoder, type ServerSentEvent } from '#shared/sse/server-sent-decode.ts'
import type { PushWhy, PushWhyBody } from '../../contract/push-why.ts'
import type { WireTask } from '../../contract/tasks.ts'
import type { PushAnswer, PushBody } from '../model/push.ts'
import type { SearchBody } from '../model/search-query.ts'
import { type Answer, app, call, own, searchPatienceMs, sitePatienceMs } from './call.ts'

/** Longer than the rows of one site. */
const eventCharactersMax = 4 * 1024 * 1024

/** Tells each event of a search as it comes; the answer comes at the end of all. */
export function followSearch(body: SearchBody, tell: (event: ServerSentEvent) => void): Promise<Answer<true>> {
  return call({
    method: 'POST',
    path: `${own}/search/events`,
    body,
    patienceMs: searchPatienceMs,
    async read(response) {
      const decoder = new ServerSentDecoder(eventCharactersMax)
      let isDone: true | undefined
      const reader = response.body?.getReader()
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
        const events = decoder.push(part.value)
        if (!events.ok) return undefined
        for (const event of events.value) {
          if (event.event === 'done') isDone = true
          tell(event)
        }
      }
      return isDone
    },
  })
}

export function pushToDownloader(body: PushBody): Promise<Answer<PushAnswer>> {
  return call({ method: 'POST', path: `${app}/push`, body, patienceMs: sitePatienceMs })
}

/** The figures of its site may have to be read first. */
export function explainPush(body: PushWhyBody, signal?: AbortSignal): Promise<Answer<PushWhy>> {
  return call({ method: 'POST', path: `${app}/push/why`, body, signal, patienceMs: sitePatienceMs })
}

export interface TaskPage {
  readonly items: readonly WireTask[]
  readonly total: number
  readonly page: number
  readonly page_size: number
}

export function fetchTasks(parameters: URLSearchParams, signal?: AbortSignal): Promise<Answer<TaskPage>> {
  return call({ method: 'GET', path: `${app}/tasks?${parameters}`, signal })
}
