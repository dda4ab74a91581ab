/** Sessions in which what is searched for was said, as far as was looked back, and further when asked. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { ApiFailure } from '../api/ask.ts'
import { routes, type SaidPage } from '../api/routes.ts'
import { homeWords, momentText } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { nameOf } from '../model/transcript.ts'
import { FailureNote } from './states.tsx'

export function SaidSection({ search }: { search: string }) {
  const say = homeWords.value.said
  const pages = useSignal<readonly SaidPage[]>([])
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const isBusy = useSignal(false)
  // A search that nobody waits for any more answers nothing.
  const current = useSignal(search)

  async function read(cursor: string | undefined): Promise<void> {
    isBusy.value = true
    const answer = await routes.said(search, cursor)
    if (current.peek() !== search) return
    isBusy.value = false
    failure.value = answer.ok ? undefined : answer.failure
    if (answer.ok) pages.value = [...(cursor === undefined ? [] : pages.peek()), answer.value]
  }

  useEffect(() => {
    current.value = search
    pages.value = []
    if (search !== '') void read(undefined)
  }, [search])

  if (search === '') return null
  const last = pages.value.at(-1)
  const next = last?.cursor.next ?? undefined
  // A session in which something new was said meanwhile comes again.
  const found = new Map(pages.value.flatMap(({ data }) => data.map((one) => [one.session.id, one] as const)))
  return (
    <section class="sec" aria-labelledby="said">
      <header>
        <h2 id="said">{say.title}</h2>
        <span class="n">{found.size}</span>
      </header>
      <FailureNote failure={failure.value} retry={() => void read(next)} />
      <ul class="said-in">
        {[...found.values()].map(({ session, by, excerpt, at }) => (
          <li key={session.id}>
            <a href={sessionHref(session.id)} data-row>
              <span class="cut blk" dir="auto">
                {session.title}
              </span>
              <span class="small muted blk" dir="auto">
                {say.by[by]} {showUnseen(excerpt.slice(0, at))}
                <mark>{showUnseen(excerpt.slice(at, at + search.length))}</mark>
                {showUnseen(excerpt.slice(at + search.length))}
              </span>
              <span class="faint tiny">
                {nameOf(session.location.directory)} · {momentText(session.time.updated)}
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p class="small faint said-in-end" role="status">
        {last === undefined || isBusy.value
          ? say.searching
          : last.searchedBackTo === null
            ? say.all(found.size)
            : say.backTo(momentText(last.searchedBackTo))}
        {next === undefined ? null : (
          <button class="btn" type="button" disabled={isBusy.value} onClick={() => void read(next)}>
            {say.further}
          </button>
        )}
      </p>
    </section>
  )
}
