/** Adding and changing a quality profile. */
import { useSignal } from '@preact/signals'
import { TextArea, TextField, Tick } from '#shared/pages/field.tsx'
import type { WireProfileTrial, WireQualityProfile } from '../../contract/console-subscriptions.ts'
import { releaseSources, resolutions } from '../../core/vocabulary.ts'
import {
  profileGibMax,
  profileNameCharactersMax,
  profileSeedersMax,
  profileWordCharactersMax,
  profileWordsMax,
} from '../../limits.ts'
import type { Answer } from '../api/call.ts'
import { fetchSiteSettings } from '../api/sites.ts'
import { addProfile, changeProfile, tryProfile } from '../api/subscriptions.ts'
import { words } from '../locales/words.ts'
import { type ProfileFault, profileDraftOf, readProfile } from '../model/profile-form.ts'
import { siteLabel } from '../model/site-board.ts'
import { useResource } from '../resource.ts'
import { useForm } from '../use-form.ts'
import { Ticks } from './field.tsx'
import { FormFrame } from './form-frame.tsx'
import { NameField } from './name-field.tsx'
import { ProfileTrial } from './profile-trial.tsx'
import { RankedChoice } from './ranked-choice.tsx'
import { SubscriptionFailureNote } from './subscription-parts.tsx'

/** A word and a line end for each. */
const wordsLengthMax = profileWordsMax * (profileWordCharactersMax + 1)
const numberLengthMax = 12

export function ProfileForm(props: {
  stored: WireQualityProfile | undefined
  submitWords: string
  onSaved: () => void
}) {
  const { stored } = props
  const text = words.value.profiles
  const form = useForm(profileDraftOf(stored))
  const draft = form.values
  const sites = useResource('site-settings', fetchSiteSettings)
  const { body, faults } = readProfile(draft)
  const known = (sites.state.value.data?.items ?? []).filter((site) => site.search)
  // A site may be gone by now that the profile still names.
  const strangers = draft.sites.filter((name) => !known.some((site) => site.name === name))

  const wrong = (fault: ProfileFault, said: string, wireField?: string) =>
    form.wrong(faults.has(fault), said, wireField)

  const trial = useSignal<Answer<WireProfileTrial> | undefined>(undefined)
  async function tryIt(): Promise<void> {
    trial.value = await tryProfile({ profile: body, ...(stored === undefined ? {} : { id: stored.id }) })
  }

  return (
    <FormFrame
      form={form}
      isRight={faults.size === 0}
      send={() => (stored === undefined ? addProfile(body) : changeProfile(stored.id, body))}
      onSaved={props.onSaved}
      submitWords={props.submitWords}
      failureNote={form.failure === undefined ? null : <SubscriptionFailureNote failure={form.failure} />}
      beforeSubmit={
        <button
          class="btn"
          type="button"
          disabled={form.busy !== undefined}
          onClick={() => void form.run('try', faults.size === 0, tryIt)}
        >
          {words.value.rules.tryIt}
        </button>
      }
      beside={
        <a class="btn" href="#/profiles">
          {words.value.common.cancel}
        </a>
      }
    >
      <NameField of={form} max={profileNameCharactersMax} />
      <div class="two-f">
        <RankedChoice
          legend={text.resolutions}
          all={resolutions}
          chosen={draft.resolutions}
          nameOf={(one) => one}
          none={text.resolutionsNeeded}
          isWrong
          onChange={(resolutions) => form.set({ resolutions })}
        />
        <RankedChoice
          legend={text.sources}
          all={releaseSources}
          chosen={draft.sources}
          nameOf={(one) => text.sourceNames[one]}
          none={text.sourcesAny}
          onChange={(sources) => form.set({ sources })}
        />
      </div>
      <div class="two-f">
        <TextField
          label={text.minGib}
          {...form.typed('minGib')}
          maxLength={numberLengthMax}
          hint={text.gibHint}
          error={wrong('minGib', text.gibWrong(profileGibMax))}
        />
        <TextField
          label={text.maxGib}
          {...form.typed('maxGib')}
          maxLength={numberLengthMax}
          hint={text.gibHint}
          error={wrong('maxGib', text.gibWrong(profileGibMax)) ?? wrong('gibOrder', text.gibOrder)}
        />
      </div>
      <div class="two-f">
        <TextArea
          label={text.required}
          {...form.typed('required')}
          maxLength={wordsLengthMax}
          hint={text.wordsHint}
          error={wrong('required', text.wordsWrong(profileWordsMax, profileWordCharactersMax))}
        />
        <TextArea
          label={text.refused}
          {...form.typed('refused')}
          maxLength={wordsLengthMax}
          hint={text.wordsHint}
          error={wrong('refused', text.wordsWrong(profileWordsMax, profileWordCharactersMax))}
        />
      </div>
      <div class="two-f">
        <TextField
          label={text.minSeeders}
          number
          {...form.typed('minSeeders')}
          maxLength={numberLengthMax}
          error={wrong('minSeeders', text.seedersWrong(profileSeedersMax))}
        />
        <div class="ticks">
          <Tick {...form.ticked('freeOnly')}>{text.freeOnly}</Tick>
          <Tick {...form.ticked('openEnds')}>{text.openEnds}</Tick>
          <Tick {...form.ticked('refuseHr')}>{text.refuseHr}</Tick>
        </div>
      </div>
      {known.length + strangers.length === 0 ? null : (
        <Ticks
          legend={text.sites}
          look="events"
          {...form.chosen('sites')}
          options={[
            ...known.map((site) => ({ value: site.name, label: siteLabel(site) })),
            ...strangers.map((name) => ({ value: name, label: name })),
          ]}
          hint={text.sitesHint}
        />
      )}
      {stored?.default ? (
        <p class="faint small">{text.isDefaultHint}</p>
      ) : (
        <Tick {...form.ticked('isDefault')}>{text.isDefault}</Tick>
      )}
      {trial.value === undefined ? null : <ProfileTrial trial={trial.value} />}
    </FormFrame>
  )
}
