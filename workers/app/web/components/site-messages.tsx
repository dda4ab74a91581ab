/** Messages of an account that are unread: how many, and on asking what they are about. */
import { useSignal } from '@preact/signals'
import type { WireSiteMessages } from '../../contract/console-sites.ts'
import { fetchSiteMessages } from '../api/sites.ts'
import { words } from '../locales/words.ts'
import { useActions } from '../use-actions.ts'
import { Moment } from './figure.tsx'
import { FailureWords } from './note.tsx'
import { ReasonWords } from './reason.tsx'

export function SiteMessages({ id }: { readonly id: number }) {
  const text = words.value.site.unread
  const { act, isBusy, failure } = useActions()
  const read = useSignal<WireSiteMessages | undefined>(undefined)

  async function show(): Promise<void> {
    const answer = await act(() => fetchSiteMessages(id))
    read.value = answer?.ok ? answer.value : undefined
  }

  const items = read.value?.items
  return (
    <>
      {items === undefined ? (
        <button class="btn quiet" type="button" disabled={isBusy} onClick={() => void show()}>
          {isBusy ? text.reading : text.show}
        </button>
      ) : null}
      <div role="status">
        {failure.value === undefined ? null : <FailureWords failure={failure.value} />}
        {read.value === undefined || items !== undefined ? null : <ReasonWords reason={read.value.reason} todo />}
        {items === undefined ? null : items.length === 0 ? (
          <span class="sub small muted">{text.none}</span>
        ) : (
          <ul class="rows msgs">
            {items.map(({ subject, sender, at }) => (
              <li key={`${subject} ${at ?? ''} ${sender ?? ''}`}>
                <span class="grow">
                  <bdi class="t">{subject}</bdi>
                  <span class="s">
                    {sender === undefined ? null : (
                      <>
                        <bdi>{sender}</bdi>{' '}
                      </>
                    )}
                    {at === undefined ? null : <Moment seconds={at} />}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  )
}
