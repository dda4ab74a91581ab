/** Quality profiles: which releases subscriptions want. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { WireQualityProfile } from '../../contract/console-subscriptions.ts'
import { type ApiFailure, changeProfile, fetchProfiles, removeProfile } from '../api-client.ts'
import { asDefault } from '../model/profile-form.ts'
import { ConfirmRemoval } from '../parts/confirm-removal.tsx'
import { Bones } from '../parts/list-states.tsx'
import { FailureNote } from '../parts/note.tsx'
import { ProfileForm } from '../parts/profile-form.tsx'
import { Shell } from '../parts/shell.tsx'
import { SubscriptionFailureNote } from '../parts/subscription-parts.tsx'
import { useResource } from '../resource.ts'
import { goTo } from '../router.ts'
import { words } from '../words/words.ts'

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
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const { data, failure: loadFailure } = profiles.state.value
  const stored = data?.items.find((one) => one.id === form)

  async function after(answer: { ok: true } | { ok: false; failure: ApiFailure }): Promise<void> {
    failure.value = answer.ok ? undefined : answer.failure
    await profiles.reload()
  }

  const loading =
    loadFailure === undefined ? (
      <Bones rows={3} />
    ) : (
      <FailureNote lead={words.value.common.loadFailed} failure={loadFailure} retry={() => void profiles.reload()} />
    )
  if (form !== undefined) {
    const title = form === 'new' ? text.addTitle : stored === undefined ? text.edit : text.editTitle(stored.name)
    return (
      <Shell screen="subscriptions" title={title}>
        <a class="link back" href="#/profiles">
          {text.back}
        </a>
        {data === undefined ? (
          loading
        ) : form !== 'new' && stored === undefined ? (
          <Empty title={text.gone} body={text.goneBody} />
        ) : (
          <div class="form-column">
            <ProfileForm
              key={form}
              stored={stored}
              submitWords={form === 'new' ? text.saveAdd : words.value.common.save}
              onSaved={() => {
                void profiles.reload()
                goTo('#/profiles')
              }}
            />
          </div>
        )}
      </Shell>
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
      {data === undefined ? (
        loading
      ) : (
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
