/** What is chosen for a subscription: which releases, where they go, and whether better ones replace them. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from '#shared/pages/dialog.tsx'
import {
  type ApiFailure,
  changeSubscription,
  fetchDownloaderSettings,
  fetchProfiles,
  fetchSubscriptionChoices,
} from '../api-client.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { SelectField, Tick } from './field.tsx'
import { Bones } from './list-states.tsx'
import { FailureNote } from './note.tsx'
import { SubscriptionFailureNote } from './subscription-parts.tsx'

export interface SubscriptionChoices {
  /** 0: the default, also of the downloader. */
  readonly profileId: number
  readonly downloaderId: number
  readonly upgrade: boolean
}

export const usualChoices: SubscriptionChoices = { profileId: 0, downloaderId: 0, upgrade: false }

export function ChoiceFields({ choices }: { choices: Signal<SubscriptionChoices> }) {
  const text = words.value.subscriptions
  const profiles = useResource('profiles', fetchProfiles)
  const downloaders = useResource('downloader-settings', fetchDownloaderSettings)
  const failure = profiles.state.value.failure ?? downloaders.state.value.failure
  const listed = profiles.state.value.data?.items ?? []
  const { profileId, downloaderId, upgrade } = choices.value
  const everyDownloader = downloaders.state.value.data?.items ?? []
  const usable = everyDownloader.filter((one) => one.enabled)
  const usual = usable.find((one) => one.default) ?? usable[0]
  const change = (next: Partial<SubscriptionChoices>) => {
    choices.value = { ...choices.value, ...next }
  }
  return (
    <>
      {failure === undefined ? null : (
        <FailureNote
          lead={words.value.common.loadFailed}
          failure={failure}
          retry={() => void Promise.all([profiles.reload(), downloaders.reload()])}
        />
      )}
      <div class="two-f">
        <SelectField
          label={text.profile}
          value={String(profileId)}
          options={[
            { value: '0', label: text.profileDefault(listed.find((one) => one.default)?.name ?? '…') },
            ...listed.map((one) => ({ value: String(one.id), label: one.name })),
          ]}
          onChoose={(value) => change({ profileId: Number(value) })}
        />
        <SelectField
          label={text.downloader}
          value={String(downloaderId)}
          options={[
            {
              value: '0',
              label: usual === undefined ? text.downloaderNone : text.downloaderDefault(usual.name),
            },
            ...everyDownloader
              .filter((one) => one.enabled || one.id === downloaderId)
              .map((one) => ({ value: String(one.id), label: one.name })),
          ]}
          onChoose={(value) => change({ downloaderId: Number(value) })}
        />
      </div>
      <Tick checked={upgrade} onChange={(on) => change({ upgrade: on })}>
        {text.upgradeHint}
      </Tick>
    </>
  )
}

export function SubscriptionSettings(props: { id: number; title: string; onSaved: () => void; onClose: () => void }) {
  const text = words.value.subscriptions
  const stored = useResource(`choices ${props.id}`, (signal) => fetchSubscriptionChoices(props.id, signal))
  const choices = useSignal(usualChoices)
  const busy = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const { data, failure: loadFailure } = stored.state.value
  useEffect(() => {
    if (data !== undefined)
      choices.value = { profileId: data.profile_id, downloaderId: data.downloader_id, upgrade: data.upgrade }
  }, [data, choices])

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    if (busy.value) return
    busy.value = true
    const { profileId, downloaderId, upgrade } = choices.value
    const answer = await changeSubscription(props.id, {
      profile_id: profileId,
      downloader_id: downloaderId,
      upgrade,
    })
    busy.value = false
    failure.value = answer.ok ? undefined : answer.failure
    if (!answer.ok) return
    props.onSaved()
    props.onClose()
  }

  return (
    <Dialog title={text.settingsOf(props.title)} look="wide" onClose={props.onClose}>
      {loadFailure === undefined ? null : (
        <FailureNote lead={words.value.common.loadFailed} failure={loadFailure} retry={() => void stored.reload()} />
      )}
      <form class="body" onSubmit={(event) => void save(event)}>
        {data === undefined ? (
          loadFailure === undefined ? (
            <Bones rows={2} />
          ) : null
        ) : (
          <ChoiceFields choices={choices} />
        )}
        {failure.value === undefined ? null : <SubscriptionFailureNote failure={failure.value} />}
        <p class="small">
          <a class="link" href="#/profiles">
            {text.profiles}
          </a>
        </p>
        <div class="btns ends-right">
          <button class="btn" type="button" data-first onClick={props.onClose}>
            {words.value.common.cancel}
          </button>
          <button class="btn primary" type="submit" disabled={data === undefined || busy.value}>
            {words.value.common.save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
