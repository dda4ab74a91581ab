/** Searches of this page: under way or over, and kept for a while, so that leaving ends none and Back asks nobody. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { followSearch } from './api/search.ts'
import { KeptResults } from './model/kept-results.ts'
import { beginSearch, missingSites, type SearchProgress, takeSearchEvent } from './model/search-progress.ts'
import { type SearchBody, type SearchForm, searchBody } from './model/search-query.ts'

/** Sites that answer together are shown together. */
const showEveryMs = 100

export interface RunningSearch {
  readonly progress: ReadonlySignal<SearchProgress>
  /** Asks those once more that did not tell what they have. */
  readonly askAgain: () => void
}

const kept = new KeptResults<RunningSearch>(({ progress }) => progress.peek().items.length)

/** Undefined for nothing to search for. The same as before, unless it is to be asked `isAnew`. */
export function runningSearch(form: SearchForm, isAnew = false): RunningSearch | undefined {
  const body = searchBody(form)
  if (body === undefined) return undefined
  const key = JSON.stringify(body)
  const before = isAnew ? undefined : kept.find(key, Date.now())
  if (before !== undefined) return before
  const search = begin(form, body)
  kept.keep(key, search, Date.now())
  return search
}

function begin(form: SearchForm, body: SearchBody): RunningSearch {
  const progress = signal(beginSearch(form, Math.floor(Date.now() / 1000)))
  /** What was told, which is shown a little later. */
  let told = progress.peek()
  let timer: ReturnType<typeof setTimeout> | undefined
  function show(): void {
    clearTimeout(timer)
    timer = undefined
    progress.value = told
    kept.shrink()
  }
  async function ask(sites: readonly string[] | undefined): Promise<void> {
    told = { ...told, errors: [], waiting: sites, isOver: false, failure: undefined }
    show()
    const answer = await followSearch(sites === undefined ? body : { ...body, sites }, ({ event, data }) => {
      told = takeSearchEvent(told, event, data)
      timer ??= setTimeout(show, showEveryMs)
    })
    told = { ...told, isOver: true, failure: answer.ok ? undefined : answer.failure }
    show()
  }
  void ask(undefined)
  return {
    progress,
    askAgain: () => {
      if (told.isOver) void ask(missingSites(told))
    },
  }
}
