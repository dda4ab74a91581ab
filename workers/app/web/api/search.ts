/** Search, pushes, and what was pushed. */
import type { search } from '../../contract/search.ts'
import type { WireTask } from '../../contract/tasks.ts'
import type { PushAnswer, PushBody } from '../model/push.ts'
import type { SearchBody } from '../model/search-query.ts'
import { type Answer, app, call, searchPatienceMs, sitePatienceMs } from './call.ts'

export type SearchAnswer = (typeof search)['answers'][200]['_output']
/** A search that no site answered is an answer too: it names every site and its reason. */
export async function searchSites(body: SearchBody, signal?: AbortSignal): Promise<Answer<SearchAnswer>> {
  const startedMs = performance.now()
  const answer = await call<SearchAnswer>({
    method: 'POST',
    path: `${app}/search`,
    body,
    signal,
    patienceMs: searchPatienceMs,
  })
  if (answer.ok || answer.failure.code !== 'search_failed') return answer
  const { reason } = answer.failure
  if (reason?.kind !== 'search.failed') return answer
  const errors = reason.sites.map((one) => ({ ...one, error: '' }))
  return {
    ok: true,
    value: { items: [], total: 0, sites: {}, errors, duration_ms: Math.round(performance.now() - startedMs) },
  }
}

export function pushToDownloader(body: PushBody): Promise<Answer<PushAnswer>> {
  return call({ method: 'POST', path: `${app}/push`, body, patienceMs: sitePatienceMs })
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
