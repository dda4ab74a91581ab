/** Subscribing to a title that was found, in the dialog that tells of it. */

import { useSignal } from '@preact/signals'
import { Note } from '#shared/pages/note.tsx'
import type { WireExploreItem } from '../../contract/explore.ts'
import { seasonMax } from '../../limits.ts'
import { type ApiFailure, subscribeTo } from '../api-client.ts'
import { typed } from '../bind-field.ts'
import { words } from '../locales/words.ts'
import { everySubscription, subscriptionHash } from '../model/subscription-query.ts'
import { TextField } from './field.tsx'
import { SubscriptionFailureNote } from './subscription-parts.tsx'
import { ChoiceFields, usualChoices } from './subscription-settings.tsx'

export function SubscribeForm(props: { title: WireExploreItem; onSubscribed: () => void; onClose: () => void }) {
  const { title } = props
  const text = words.value.subscriptions
  const season = useSignal('')
  const choices = useSignal(usualChoices)
  const tried = useSignal(false)
  const busy = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const made = useSignal<number | undefined>(undefined)
  const isSeries = title.media_type === 'tv'
  const written = season.value.trim()
  const seasonWrong = isSeries && written !== '' && !(/^[1-9][0-9]{0,2}$/.test(written) && Number(written) <= seasonMax)

  async function subscribe(event: Event): Promise<void> {
    event.preventDefault()
    tried.value = true
    if (seasonWrong || busy.value) return
    busy.value = true
    failure.value = undefined
    const { profileId, downloaderId, upgrade } = choices.value
    const answer = await subscribeTo({
      media_type: title.media_type,
      tmdb_id: title.id,
      ...(isSeries && written !== '' ? { season: Number(written) } : {}),
      profile_id: profileId,
      downloader_id: downloaderId,
      upgrade,
      source: 'explore',
    })
    busy.value = false
    if (!answer.ok) {
      failure.value = answer.failure
      return
    }
    made.value = answer.value.id
    props.onSubscribed()
  }

  if (made.value !== undefined) {
    return (
      <>
        <Note tone="good" role="status">
          {text.done}
        </Note>
        <div class="btns ends-right">
          <button class="btn" type="button" onClick={props.onClose}>
            {words.value.common.close}
          </button>
          <a
            class="btn primary"
            ref={(link) => link?.focus()}
            href={subscriptionHash({ ...everySubscription, id: made.value })}
          >
            {text.toSubscription}
          </a>
        </div>
      </>
    )
  }
  return (
    <form class="body" onSubmit={(event) => void subscribe(event)}>
      {isSeries ? (
        <TextField
          label={text.seasonNumber}
          number
          {...typed(season)}
          maxLength={3}
          hint={text.seasonHint}
          error={tried.value && seasonWrong ? text.seasonWrong : undefined}
        />
      ) : null}
      <ChoiceFields choices={choices} />
      {failure.value === undefined ? null : <SubscriptionFailureNote failure={failure.value} />}
      <div class="btns ends-right">
        <button class="btn" type="button" data-first onClick={props.onClose}>
          {words.value.common.cancel}
        </button>
        {/* Not `disabled`: the focus stays on it while the provider is asked. */}
        <button class="btn primary" type="submit" aria-disabled={busy.value ? 'true' : undefined}>
          {busy.value ? text.subscribing : text.subscribe}
        </button>
      </div>
    </form>
  )
}
