/** Subscribing to a title that was found, in the dialog that tells of it. */

import { useSignal } from '@preact/signals'
import { TextField } from '#shared/pages/field.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { WireExploreItem } from '../../contract/explore.ts'
import { seasonMax } from '../../limits.ts'
import { subscribeTo } from '../api/subscriptions.ts'
import { words } from '../locales/words.ts'
import { everySubscription, subscriptionHash } from '../model/subscription-query.ts'
import { digitsOf } from '../model/typed-number.ts'
import { useForm } from '../use-form.ts'
import { FormFrame } from './form-frame.tsx'
import { SubscriptionFailureNote } from './subscription-parts.tsx'
import { ChoiceFields, usualChoices } from './subscription-settings.tsx'

export function SubscribeForm(props: { title: WireExploreItem; onSubscribed: () => void; onClose: () => void }) {
  const { title } = props
  const text = words.value.subscriptions
  const form = useForm({ season: '', ...usualChoices })
  const made = useSignal<number | undefined>(undefined)
  const isSeries = title.media_type === 'tv'
  const { profileId, downloaderId, upgrade } = form.values
  const season = form.values.season.trim()
  const seasonWrong = isSeries && season !== '' && !(/^[1-9][0-9]{0,2}$/.test(season) && Number(season) <= seasonMax)

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
    <FormFrame
      form={form}
      look="dialog"
      class="body"
      isRight={!seasonWrong}
      send={() =>
        subscribeTo({
          media_type: title.media_type,
          tmdb_id: title.id,
          ...(isSeries && season !== '' ? { season: Number(season) } : {}),
          profile_id: profileId,
          downloader_id: downloaderId,
          upgrade,
          source: 'explore',
        })
      }
      onSaved={({ id }) => {
        made.value = id
        props.onSubscribed()
      }}
      submitWords={form.busy === undefined ? text.subscribe : text.subscribing}
      onCancel={props.onClose}
      failureNote={form.failure === undefined ? undefined : <SubscriptionFailureNote failure={form.failure} />}
    >
      {isSeries ? (
        <TextField
          label={text.seasonNumber}
          number
          {...form.typed('season')}
          maxLength={digitsOf(seasonMax)}
          hint={text.seasonHint}
          error={form.wrong(seasonWrong, text.seasonWrong, 'season')}
        />
      ) : null}
      <ChoiceFields form={form} />
    </FormFrame>
  )
}
