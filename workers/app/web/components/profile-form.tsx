/** Adding and changing a quality profile. */
import { useSignal } from '@preact/signals'
import type { WireQualityProfile } from '../../contract/console-subscriptions.ts'
import {
  profileGibMax,
  profileNameCharactersMax,
  profileSeedersMax,
  profileWordCharactersMax,
  profileWordsMax,
} from '../../limits.ts'
import { type ApiFailure, addProfile, changeProfile, fetchSiteSettings } from '../api-client.ts'
import { words } from '../locales/words.ts'
import {
  everyResolution,
  everySource,
  type ProfileDraft,
  type ProfileFault,
  profileDraftOf,
  readProfile,
} from '../model/profile-form.ts'
import { siteLabel } from '../model/site-board.ts'
import { useResource } from '../resource.ts'
import { TextArea, TextField, Tick } from './field.tsx'
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
  const draft = useSignal(profileDraftOf(stored))
  const tried = useSignal(false)
  const busy = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const sites = useResource('site-settings', fetchSiteSettings)
  const { body, faults } = readProfile(draft.value)
  const known = (sites.state.value.data?.items ?? []).filter((site) => site.search)
  // A site may be gone by now that the profile still names.
  const strangers = draft.value.sites.filter((name) => !known.some((site) => site.name === name))

  function change(next: Partial<ProfileDraft>): void {
    draft.value = { ...draft.value, ...next }
  }
  const wrong = (fault: ProfileFault, said: string) => (tried.value && faults.has(fault) ? said : undefined)

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    tried.value = true
    if (faults.size > 0 || busy.value) return
    busy.value = true
    failure.value = undefined
    const answer = stored === undefined ? await addProfile(body) : await changeProfile(stored.id, body)
    busy.value = false
    if (answer.ok) props.onSaved()
    else failure.value = answer.failure
  }

  return (
    <form class="su-form" autocomplete="off" onSubmit={(event) => void save(event)}>
      <TextField
        label={text.name}
        value={draft.value.name}
        maxLength={profileNameCharactersMax}
        onText={(name) => change({ name })}
        error={wrong('name', text.nameNeeded)}
      />
      <div class="two-f">
        <RankedChoice
          legend={text.resolutions}
          all={everyResolution}
          chosen={draft.value.resolutions}
          nameOf={(one) => one}
          none={text.resolutionsNeeded}
          isWrong
          onChange={(resolutions) => change({ resolutions })}
        />
        <RankedChoice
          legend={text.sources}
          all={everySource}
          chosen={draft.value.sources}
          nameOf={(one) => text.sourceNames[one]}
          none={text.sourcesAny}
          onChange={(sources) => change({ sources })}
        />
      </div>
      <div class="two-f">
        <TextField
          label={text.minGib}
          value={draft.value.minGib}
          maxLength={numberLengthMax}
          onText={(minGib) => change({ minGib })}
          hint={text.gibHint}
          error={wrong('minGib', text.gibWrong(profileGibMax))}
        />
        <TextField
          label={text.maxGib}
          value={draft.value.maxGib}
          maxLength={numberLengthMax}
          onText={(maxGib) => change({ maxGib })}
          hint={text.gibHint}
          error={wrong('maxGib', text.gibWrong(profileGibMax)) ?? wrong('gibOrder', text.gibOrder)}
        />
      </div>
      <div class="two-f">
        <TextArea
          label={text.required}
          value={draft.value.required}
          maxLength={wordsLengthMax}
          onText={(required) => change({ required })}
          hint={text.wordsHint}
          error={wrong('required', text.wordsWrong(profileWordsMax, profileWordCharactersMax))}
        />
        <TextArea
          label={text.refused}
          value={draft.value.refused}
          maxLength={wordsLengthMax}
          onText={(refused) => change({ refused })}
          hint={text.wordsHint}
          error={wrong('refused', text.wordsWrong(profileWordsMax, profileWordCharactersMax))}
        />
      </div>
      <div class="two-f">
        <TextField
          label={text.minSeeders}
          number
          value={draft.value.minSeeders}
          maxLength={numberLengthMax}
          onText={(minSeeders) => change({ minSeeders })}
          error={wrong('minSeeders', text.seedersWrong(profileSeedersMax))}
        />
        <div class="ticks">
          <Tick checked={draft.value.freeOnly} onChange={(freeOnly) => change({ freeOnly })}>
            {text.freeOnly}
          </Tick>
          <Tick checked={draft.value.refuseHr} onChange={(refuseHr) => change({ refuseHr })}>
            {text.refuseHr}
          </Tick>
        </div>
      </div>
      {known.length + strangers.length === 0 ? null : (
        <fieldset>
          <legend class="label">{text.sites}</legend>
          <div class="ticks events">
            {[
              ...known.map((site) => ({ name: site.name, label: siteLabel(site) })),
              ...strangers.map((name) => ({ name, label: name })),
            ].map(({ name, label }) => (
              <Tick
                key={name}
                checked={draft.value.sites.includes(name)}
                onChange={(on) =>
                  change({
                    sites: on ? [...draft.value.sites, name] : draft.value.sites.filter((one) => one !== name),
                  })
                }
              >
                {label}
              </Tick>
            ))}
          </div>
          <span class="hint faint small">{text.sitesHint}</span>
        </fieldset>
      )}
      {stored?.default ? (
        <p class="faint small">{text.isDefaultHint}</p>
      ) : (
        <Tick checked={draft.value.isDefault} onChange={(isDefault) => change({ isDefault })}>
          {text.isDefault}
        </Tick>
      )}
      {failure.value === undefined ? null : <SubscriptionFailureNote failure={failure.value} />}
      <div class="su-act">
        <a class="btn" href="#/profiles">
          {words.value.common.cancel}
        </a>
        <button class="btn primary" type="submit" disabled={busy.value}>
          {props.submitWords}
        </button>
      </div>
    </form>
  )
}
