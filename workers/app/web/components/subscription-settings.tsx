/** What is chosen for a subscription: which releases, where they go, and whether better ones replace them. */
import { useEffect } from 'preact/hooks'
import { Dialog } from '#shared/pages/dialog.tsx'
import { SelectField, Tick } from '#shared/pages/field.tsx'
import { fetchDownloaderSettings } from '../api/downloaders.ts'
import { changeSubscription, fetchProfiles, fetchSubscriptionChoices } from '../api/subscriptions.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { type Form, useForm } from '../use-form.ts'
import { FormFrame } from './form-frame.tsx'
import { Loaded, LoadFailure } from './loaded.tsx'
import { SubscriptionFailureNote } from './subscription-parts.tsx'

export interface SubscriptionChoices {
  /** 0: the default, also of the downloader. */
  readonly profileId: number
  readonly downloaderId: number
  readonly upgrade: boolean
}

export const usualChoices: SubscriptionChoices = { profileId: 0, downloaderId: 0, upgrade: false }

/** Which releases are wanted; 0 for the default profile. */
function ProfileField(props: { profileId: number; onChoose: (profileId: number) => void }) {
  const text = words.value.subscriptions
  const profiles = useResource('profiles', fetchProfiles)
  const listed = profiles.state.value.data?.items ?? []
  return (
    <>
      <LoadFailure of={profiles} />
      <SelectField
        label={text.profile}
        value={String(props.profileId)}
        options={[
          { value: '0', label: text.profileDefault(listed.find((one) => one.default)?.name ?? '…') },
          ...listed.map((one) => ({ value: String(one.id), label: one.name })),
        ]}
        onChoose={(value) => props.onChoose(Number(value))}
      />
    </>
  )
}

export function ChoiceFields<V extends SubscriptionChoices>({ form }: { form: Pick<Form<V>, 'values' | 'set'> }) {
  const text = words.value.subscriptions
  const downloaders = useResource('downloader-settings', fetchDownloaderSettings)
  const { profileId, downloaderId, upgrade } = form.values
  const everyDownloader = downloaders.state.value.data?.items ?? []
  const usable = everyDownloader.filter((one) => one.enabled)
  const usual = usable.find((one) => one.default) ?? usable[0]
  const change = (next: Partial<SubscriptionChoices>) => form.set(next as Partial<V>)
  return (
    <>
      <LoadFailure of={downloaders} />
      <div class="two-f">
        <ProfileField profileId={profileId} onChoose={(chosen) => change({ profileId: chosen })} />
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
  const form = useForm(usualChoices)
  const { data } = stored.state.value
  useEffect(() => {
    if (data !== undefined)
      form.restart({ profileId: data.profile_id, downloaderId: data.downloader_id, upgrade: data.upgrade })
  }, [data])
  const { profileId, downloaderId, upgrade } = form.values

  return (
    <Dialog title={text.settingsOf(props.title)} look="wide" onClose={props.onClose}>
      <FormFrame
        form={form}
        look="dialog"
        class="body"
        isRight
        rests={data === undefined}
        send={() => changeSubscription(props.id, { profile_id: profileId, downloader_id: downloaderId, upgrade })}
        onSaved={() => {
          props.onSaved()
          props.onClose()
        }}
        submitWords={words.value.common.save}
        onCancel={props.onClose}
        failureNote={form.failure === undefined ? undefined : <SubscriptionFailureNote failure={form.failure} />}
      >
        <Loaded of={stored} skeletonRows={2}>
          {() => <ChoiceFields form={form} />}
        </Loaded>
        <p class="small">
          <a class="link" href="#/profiles">
            {text.profiles}
          </a>
        </p>
      </FormFrame>
    </Dialog>
  )
}
