/** Quality profiles: which releases subscriptions want. */

import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireQualityProfile } from '../../contract/console-subscriptions.ts'
import { changeProfile, fetchProfiles, removeProfile } from '../api-client.ts'
import { ConfirmRemoval } from '../components/confirm-removal.tsx'
import { FormScreen } from '../components/form-screen.tsx'
import { Loaded } from '../components/loaded.tsx'
import { ProfileForm } from '../components/profile-form.tsx'
import { Shell } from '../components/shell.tsx'
import { SubscriptionFailureNote } from '../components/subscription-parts.tsx'
import { words } from '../locales/words.ts'
import { asDefault } from '../model/profile-form.ts'
import { useResource } from '../resource.ts'
import { useAfter } from '../use-after.ts'

/** Its rules in one line. */
function rulesText(profile: WireQualityProfile): string {
  const text = words.value.profiles
  const { min_gib: min, max_gib: max } = profile
  const size =
    min > 0 && max > 0
      ? text.gibBetween(String(min), String(max))
      : min > 0
        ? text.gibFrom(String(min))
        : max > 0
          ? text.gibTo(String(max))
          : undefined
  const wordCount = profile.required_words.length + profile.refused_words.length
  return [
    profile.resolutions.join(' › '),
    profile.sources.length === 0 ? text.anySource : profile.sources.map((one) => text.sourceNames[one]).join(' › '),
    size,
    profile.min_seeders === 0 ? undefined : text.seedersFrom(String(profile.min_seeders)),
    profile.free_only ? text.freeShort : undefined,
    profile.refuse_hr ? text.hrShort : undefined,
    wordCount === 0 ? undefined : text.wordsShort(wordCount),
    profile.sites.length === 0 ? undefined : text.sitesShort(profile.sites.length),
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}

function Row(props: { profile: WireQualityProfile; onDefault: () => void; onRemove: () => void }) {
  const { profile } = props
  const text = words.value.profiles
  return (
    <li class="dl">
      <div class="dl-h">
        <b>{profile.name}</b>
        {profile.default ? <span class="tag acc">{text.defaultTag}</span> : null}
      </div>
      <div class="dl-b">
        <span class="small faint">{rulesText(profile)}</span>
      </div>
      <div class="btns">
        <a class="btn" href={`#/profiles/${profile.id}`} aria-label={`${text.edit} ${profile.name}`}>
          {text.edit}
        </a>
        {profile.default ? null : (
          <>
            <button
              class="btn quiet"
              type="button"
              aria-label={`${text.makeDefault} ${profile.name}`}
              onClick={props.onDefault}
            >
              {text.makeDefault}
            </button>
            <button
              class="btn danger quiet"
              type="button"
              aria-label={`${text.remove} ${profile.name}`}
              onClick={props.onRemove}
            >
              <Icon name="trash" />
              <span class="wide-only">{text.remove}…</span>
            </button>
          </>
        )}
      </div>
    </li>
  )
}

export function ProfilesPage({ form }: { readonly form?: 'new' | number }) {
  const text = words.value.profiles
  const profiles = useResource('profiles', fetchProfiles)
  const removing = useSignal<WireQualityProfile | undefined>(undefined)
  const { failure, after } = useAfter(profiles)
  const { data } = profiles.state.value
  const _stored = data?.items.find((one) => one.id === form)

  if (form !== undefined) {
    return (
      <FormScreen
        screen="subscriptions"
        form={form}
        of={profiles}
        listHash="#/profiles"
        text={text}
        goneBody={text.goneBody}
      >
        {({ data: _, ...row }) => <ProfileForm {...row} />}
      </FormScreen>
    )
  }
  return (
    <Shell
      screen="subscriptions"
      title={words.value.subscriptions.profiles}
      tools={
        <a class="btn primary" href="#/profiles/new">
          <Icon name="plus" />
          {text.add}
        </a>
      }
    >
      <a class="link back" href="#/subscriptions">
        {words.value.subscriptions.backToAll}
      </a>
      <p class="muted lead">{text.lead}</p>
      {failure.value === undefined ? null : <SubscriptionFailureNote failure={failure.value} />}
      <Loaded of={profiles} bones={3}>
        {(data) => (
          <ul class="dls profiles">
            {data.items.map((profile) => (
              <Row
                key={profile.id}
                profile={profile}
                onDefault={() => void changeProfile(profile.id, asDefault(profile)).then(after)}
                onRemove={() => {
                  removing.value = profile
                }}
              />
            ))}
          </ul>
        )}
      </Loaded>
      <ConfirmRemoval
        wanted={removing}
        title={text.confirmRemove}
        body={text.confirmRemoveBody}
        action={text.doRemove}
        remove={removeProfile}
        after={after}
      />
    </Shell>
  )
}
