/** Services on the internet that the owner sets up: the metadata provider, the list of releases, the proxy to both. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { SelectField, TextField } from '#shared/pages/field.tsx'
import { Note } from '#shared/pages/note.tsx'
import type {
  WireLocaleSettings,
  WireMetadataSettings,
  WireProxySettings,
  WireUpdateSettings,
} from '../../contract/console-settings.ts'
import { usualMetadataAddresses, usualReleaseAddress } from '../../core/vocabulary.ts'
import { repositoryCharactersMax, serviceAddressCharactersMax } from '../../limits.ts'
import type { Answer } from '../api/call.ts'
import {
  changeLocaleSettings,
  changeMetadataSettings,
  changeProxySettings,
  changeUpdateSettings,
  fetchFreeEndSettings,
  fetchLocaleSettings,
  fetchMetadataSettings,
  fetchProxySettings,
  fetchUpdateSettings,
  fetchUpdates,
  testMetadataKey,
} from '../api/service.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { useForm, useTrial } from '../use-form.ts'
import { Moment } from './figure.tsx'
import { FormFrame } from './form-frame.tsx'
import { FreeEndForm } from './free-end-form.tsx'
import { inSection } from './in-section.ts'
import { Skeleton } from './list-states.tsx'
import { Loaded } from './loaded.tsx'
import { MetadataKeyLink } from './metadata-key-link.tsx'
import { FailureWords } from './note.tsx'
import { Section } from './section.tsx'
import { ServiceAddressField, StoredKey, typedKey } from './stored-key.tsx'
import { TestButton, TestReport } from './test-report.tsx'
import { TimeZoneField } from './time-zone-field.tsx'

/** A section whose form begins with what is stored. */
function StoredSection<T>(props: {
  title: string
  name: string
  load: (signal: AbortSignal) => Promise<Answer<T>>
  children: (stored: T) => ComponentChildren
}) {
  const stored = useResource(props.name, props.load)
  return (
    <Section title={props.title}>
      <Loaded of={stored} skeletonRows={2}>
        {props.children}
      </Loaded>
    </Section>
  )
}

function MetadataForm({ initial }: { initial: WireMetadataSettings }) {
  const text = words.value.services
  const stored = useSignal(initial)
  const form = useForm(metadataDraftOf(initial))
  const { api, images } = form.values
  const body = { api_address: api.trim(), api_key: typedKey(form.values) }
  const trial = useTrial(form, () => testMetadataKey(body))
  return (
    <FormFrame
      {...inSection()}
      form={form}
      isRight
      send={() => changeMetadataSettings({ ...body, image_address: images.trim() })}
      onSaved={(saved) => {
        stored.value = saved
        form.restart(metadataDraftOf(saved))
      }}
      beside={<TestButton form={form} of={trial} isRight text={text} quiet />}
    >
      <p class="muted">
        {text.metadataLead}
        <MetadataKeyLink />
      </p>
      <StoredKey
        label={text.key}
        typed={form.typed('key')}
        hint={text.keyHint}
        isStored={stored.value.has_api_key}
        removal={form.ticked('removeKey')}
      />
      <div class="two-f">
        <ServiceAddressField label={text.apiAddress} {...form.typed('api')} usual={usualMetadataAddresses.api} />
        <ServiceAddressField
          label={text.imageAddress}
          {...form.typed('images')}
          usual={usualMetadataAddresses.images}
        />
      </div>
      <TestReport of={trial} works={({ works }) => works} text={text} />
    </FormFrame>
  )
}

function metadataDraftOf(stored: WireMetadataSettings) {
  return { key: '', removeKey: false, api: stored.api_address, images: stored.image_address }
}

function ProxyForm({ initial }: { initial: WireProxySettings }) {
  const text = words.value.services
  const stored = useSignal(initial)
  const form = useForm({ proxy: '' })
  if (!initial.available && initial.proxy_host === undefined) return <p class="muted pad">{text.proxyUnavailable}</p>
  const host = stored.value.proxy_host
  const proxy = form.values.proxy.trim()
  const onSaved = (saved: WireProxySettings) => {
    stored.value = saved
    form.restart({ proxy: '' })
  }
  return (
    <FormFrame
      {...inSection()}
      form={form}
      isRight
      rests={proxy === ''}
      send={() => changeProxySettings({ proxy })}
      onSaved={onSaved}
      beside={
        host === undefined ? null : (
          <button
            class="btn quiet"
            type="button"
            onClick={() => void form.submit(true, () => changeProxySettings({ proxy: '' }), onSaved)}
          >
            {text.proxyRemove}
          </button>
        )
      }
    >
      <p class="muted">
        {text.proxyLead} {host === undefined ? text.proxyNone : text.proxyIs(host)}
      </p>
      <TextField
        label={text.proxy}
        secret
        autocomplete="new-password"
        maxLength={serviceAddressCharactersMax}
        {...form.typed('proxy')}
        hint={text.proxyHint}
      />
    </FormFrame>
  )
}

/** How the check stands with what is stored now. */
function CheckResult({ of }: { of: string }) {
  const text = { ...words.value.updates, ...words.value.releases }
  const updates = useResource(`updates ${of}`, fetchUpdates)
  const { data, failure, key } = updates.state.value
  if (failure !== undefined) {
    return (
      <Note tone="warn" role="status">
        <b>{text.notChecked}</b> <FailureWords failure={failure} />
      </Note>
    )
  }
  if (data === undefined || key !== `updates ${of}`) return <Skeleton rows={1} />
  return (
    <>
      <p class="muted" role="status">
        {data.has_update ? text.newerThan(data.current_version) : text.newest(data.current_version)} {text.checked}{' '}
        <Moment seconds={data.checked_at} />
      </p>
      {data.new_releases.length === 0 ? null : (
        <ul class="rows releases">
          {data.new_releases.map((release) => (
            <li key={release.version}>
              <details class="grow">
                <summary>
                  <b>{release.version}</b> <span class="muted">{release.name}</span>
                </summary>
                <p class="changelog">{release.changelog === '' ? text.noChangelog : release.changelog}</p>
              </details>
              {release.url === '' ? null : (
                <a
                  class="link"
                  href={release.url}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={`${text.whatIsNew} ${release.version}`}
                >
                  {text.whatIsNew}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function LocaleForm({ initial }: { initial: WireLocaleSettings }) {
  const form = useForm(initial)
  const { time_zone, language } = form.values
  return (
    <FormFrame
      {...inSection()}
      form={form}
      isRight
      send={() => changeLocaleSettings(time_zone, language)}
      onSaved={form.restart}
    >
      <TimeZoneField {...form.chosen('time_zone')} />
      <SelectField
        label={words.value.locale.serviceLanguage}
        hint={words.value.locale.serviceLanguageHint}
        value={language}
        onChoose={(chosen) => form.set({ language: chosen === 'en' ? 'en' : 'zh' })}
        options={[
          { value: 'en', label: 'English' },
          { value: 'zh', label: '中文' },
        ]}
      />
    </FormFrame>
  )
}

function UpdatesForm({ initial }: { initial: WireUpdateSettings }) {
  const text = words.value.services
  const stored = useSignal(initial)
  const form = useForm(initial)
  return (
    <FormFrame
      {...inSection()}
      form={form}
      isRight
      send={() =>
        changeUpdateSettings({
          repository: form.values.repository.trim(),
          api_address: form.values.api_address.trim(),
        })
      }
      onSaved={(saved) => {
        stored.value = saved
        form.restart(saved)
      }}
    >
      <p class="muted">{text.updatesLead}</p>
      <div class="two-f">
        <TextField
          label={text.repository}
          address
          maxLength={repositoryCharactersMax}
          {...form.typed('repository')}
          hint={text.repositoryHint}
        />
        <ServiceAddressField label={text.apiAddress} {...form.typed('api_address')} usual={usualReleaseAddress} />
      </div>
      {stored.value.repository === '' ? null : (
        <CheckResult of={`${stored.value.api_address} ${stored.value.repository}`} />
      )}
    </FormFrame>
  )
}

export function ServiceSections({ at }: { at: string | null }) {
  const text = words.value.services
  useEffect(() => {
    if (at === 'services') document.getElementById('services')?.scrollIntoView()
  }, [at])
  return (
    <>
      <StoredSection title={words.value.locale.title} name="locale-settings" load={fetchLocaleSettings}>
        {(stored) => <LocaleForm initial={stored} />}
      </StoredSection>
      <StoredSection title={text.freeEnd} name="free-end-settings" load={fetchFreeEndSettings}>
        {(stored) => <FreeEndForm initial={stored} />}
      </StoredSection>
      <div id="services">
        <StoredSection title={text.metadata} name="metadata-settings" load={fetchMetadataSettings}>
          {(stored) => <MetadataForm initial={stored} />}
        </StoredSection>
      </div>
      <StoredSection title={text.updates} name="update-settings" load={fetchUpdateSettings}>
        {(stored) => <UpdatesForm initial={stored} />}
      </StoredSection>
      <StoredSection title={text.proxyTitle} name="proxy-settings" load={fetchProxySettings}>
        {(stored) => <ProxyForm initial={stored} />}
      </StoredSection>
    </>
  )
}
