/** Quality profiles: which releases subscriptions want. */

import type { WireQualityProfile } from '../../contract/console-subscriptions.ts'
import { changeProfile, fetchProfiles, removeProfile } from '../api/subscriptions.ts'
import { FormScreen } from '../components/form-screen.tsx'
import { ListScreen } from '../components/list-screen.tsx'
import { ProfileForm } from '../components/profile-form.tsx'
import { RowButtons } from '../components/row-buttons.tsx'
import { SubscriptionFailureNote } from '../components/subscription-parts.tsx'
import { words } from '../locales/words.ts'
import { asDefault } from '../model/profile-form.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'

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
      <RowButtons
        name={profile.name}
        text={text}
        editHash={`#/profiles/${profile.id}`}
        onDefault={profile.default ? undefined : props.onDefault}
        onRemove={profile.default ? undefined : props.onRemove}
      />
    </li>
  )
}

export function ProfilesPage({ form }: { readonly form?: 'new' | number }) {
  const text = words.value.profiles
  const profiles = useResource('profiles', fetchProfiles)
  const actions = useActions<WireQualityProfile>(profiles)

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
    <ListScreen
      screen="subscriptions"
      title={words.value.subscriptions.profiles}
      of={profiles}
      // There always is the default one.
      text={{ ...text, emptyTitle: '', emptyBody: '' }}
      back={
        <a class="link back" href="#/subscriptions">
          {words.value.subscriptions.backToAll}
        </a>
      }
      add="#/profiles/new"
      actions={actions}
      noteOf={(failure) => <SubscriptionFailureNote failure={failure} />}
      remove={removeProfile}
    >
      {({ items }) => (
        <ul class="dls profiles">
          {items.map((profile) => (
            <Row
              key={profile.id}
              profile={profile}
              onDefault={() => void changeProfile(profile.id, asDefault(profile)).then(actions.after)}
              onRemove={() => {
                actions.removing.value = profile
              }}
            />
          ))}
        </ul>
      )}
    </ListScreen>
  )
}
