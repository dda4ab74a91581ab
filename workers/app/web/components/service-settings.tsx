/** Services on the internet that the owner sets up: the metadata provider, the list of releases, the proxy to both. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Note } from '#shared/pages/note.tsx'
import type {
  WireFreeEndSettings,
  WireLocaleSettings,
  WireMetadataSettings,
  WireProxySettings,
  WireUpdateSettings,
} from '../../contract/console-settings.ts'
import { repositoryCharactersMax, serviceAddressCharactersMax, serviceKeyCharactersMax } from '../../limits.ts'
import {
  type Answer,
  type ApiFailure,
  changeFreeEndSettings,
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
  type Trial,
  testMetadataKey,
} from '../api-client.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { SelectField, TextField, Tick } from './field.tsx'
import { Moment } from './figure.tsx'
import { Bones } from './list-states.tsx'
import { FailureNote, FailureWords } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { TestReport } from './test-report.tsx'
import { TimeZoneField } from './time-zone-field.tsx'

/** A section whose form begins with what is stored. */
function Loaded<T>(props: {
  title: string
  name: string
  load: (signal: AbortSignal) => Promise<Answer<T>>
  children: (stored: T) => ComponentChildren
}) {
  const stored = useResource(props.name, props.load)
  const { data, failure } = stored.state.value
  return (
    <section class="sec">
      <header>
        <h2>{props.title}</h2>
      </header>
      {data !== undefined ? (
        props.children(data)
      ) : failure === undefined ? (
        <Bones rows={2} />
      ) : (
        <FailureNote lead={words.value.common.loadFailed} failure={failure} retry={() => void stored.reload()} />
      )}
    </section>
  )
}

/** What the last save came to; it stands until something is typed. */
function useSaving() {
  const busy = useSignal(false)
  const saved = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  return {
    busy,
    failure,
    touch() {
      saved.value = false
    },
    async save<T>(work: () => Promise<Answer<T>>): Promise<T | undefined> {
      if (busy.value) return undefined
      busy.value = true
      saved.value = false
      failure.value = undefined
      const answer = await work()
      busy.value = false
      saved.value = answer.ok
      failure.value = answer.ok ? undefined : answer.failure
      return answer.ok ? answer.value : undefined
    },
    report: () => (
      <>
        {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
        {saved.value ? (
          <Note tone="good" role="status">
            {words.value.services.saved}
          </Note>
        ) : null}
      </>
    ),
  }
}

function MetadataForm({ initial }: { initial: WireMetadataSettings }) {
  const text = words.value.services
  const stored = useSignal(initial)
  const key = useSignal('')
  const removeKey = useSignal(false)
  const api = useSignal(initial.api_address)
  const images = useSignal(initial.image_address)
  const saving = useSaving()
  const testing = useSignal(false)
  const outcome = useSignal<Trial | ApiFailure | undefined>(undefined)
  const typed = (box: { value: string }) => (value: string) => {
    box.value = value
    saving.touch()
  }
  /** The stored key is write-only: an empty box means it stays. */
  const keyPart = removeKey.value ? { api_key: '' } : key.value === '' ? {} : { api_key: key.value.trim() }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    const body = { api_address: api.value.trim(), image_address: images.value.trim(), ...keyPart }
    const answer = await saving.save(() => changeMetadataSettings(body))
    if (answer === undefined) return
    stored.value = answer
    api.value = answer.api_address
    images.value = answer.image_address
    key.value = ''
    removeKey.value = false
  }

  async function test(): Promise<void> {
    if (testing.value) return
    testing.value = true
    const answer = await testMetadataKey({ api_address: api.value.trim(), ...keyPart })
    outcome.value = answer.ok ? answer.value : answer.failure
    testing.value = false
  }

  const told = outcome.value
  const works = told !== undefined && 'works' in told && told.works
  return (
    <form class="su-form" autocomplete="off" onSubmit={(event) => void save(event)}>
      <p class="muted">{text.metadataLead}</p>
      <TextField
        label={text.key}
        secret
        autocomplete="new-password"
        maxLength={serviceKeyCharactersMax}
        value={key.value}
        onText={typed(key)}
        hint={stored.value.has_api_key ? text.keyStored : text.keyHint}
      />
      {stored.value.has_api_key ? (
        <Tick
          checked={removeKey.value}
          onChange={(on) => {
            removeKey.value = on
            saving.touch()
          }}
        >
          {text.removeKey}
        </Tick>
      ) : null}
      <div class="two-f">
        <TextField
          label={text.apiAddress}
          address
          maxLength={serviceAddressCharactersMax}
          value={api.value}
          onText={typed(api)}
          hint={text.addressHint}
        />
        <TextField
          label={text.imageAddress}
          address
          maxLength={serviceAddressCharactersMax}
          value={images.value}
          onText={typed(images)}
          hint={text.addressHint}
        />
      </div>
      {saving.report()}
      {told === undefined ? null : (
        <TestReport
          title={text.testTitle}
          works={works}
          said={works ? text.testOk : text.testFailed}
          reason={'code' in told ? <FailureWords failure={told} /> : <ReasonWords reason={told.reason} />}
        />
      )}
      <div class="btns">
        <button class="btn" type="submit" disabled={saving.busy.value}>
          {words.value.common.save}
        </button>
        <button class="btn quiet" type="button" disabled={testing.value} onClick={() => void test()}>
          {testing.value ? text.testing : text.test}
        </button>
      </div>
    </form>
  )
}

function ProxyForm({ initial }: { initial: WireProxySettings }) {
  const text = words.value.services
  const stored = useSignal(initial)
  const proxy = useSignal('')
  const saving = useSaving()
  if (!initial.available && initial.proxy_host === undefined) return <p class="muted pad">{text.proxyUnavailable}</p>

  async function store(address: string): Promise<void> {
    const answer = await saving.save(() => changeProxySettings({ proxy: address }))
    if (answer === undefined) return
    stored.value = answer
    proxy.value = ''
  }

  const host = stored.value.proxy_host
  return (
    <form
      class="su-form"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        if (proxy.value.trim() !== '') void store(proxy.value.trim())
      }}
    >
      <p class="muted">
        {text.proxyLead} {host === undefined ? text.proxyNone : text.proxyIs(host)}
      </p>
      <TextField
        label={text.proxy}
        secret
        autocomplete="new-password"
        maxLength={serviceAddressCharactersMax}
        value={proxy.value}
        onText={(value) => {
          proxy.value = value
          saving.touch()
        }}
        hint={text.proxyHint}
      />
      {saving.report()}
      <div class="btns">
        <button class="btn" type="submit" disabled={saving.busy.value || proxy.value.trim() === ''}>
          {words.value.common.save}
        </button>
        {host === undefined ? null : (
          <button class="btn quiet" type="button" disabled={saving.busy.value} onClick={() => void store('')}>
            {text.proxyRemove}
          </button>
        )}
      </div>
    </form>
  )
}

/** How the check stands with what is stored now. */
function CheckResult({ of }: { of: string }) {
  const text = words.value.updates
  const updates = useResource(`updates ${of}`, fetchUpdates)
  const { data, failure, key } = updates.state.value
  if (failure !== undefined) {
    return (
      <Note tone="warn" role="status">
        <b>{text.notChecked}</b> <FailureWords failure={failure} />
      </Note>
    )
  }
  if (data === undefined || key !== `updates ${of}`) return <Bones rows={1} />
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
  const zone = useSignal(initial.time_zone)
  const saving = useSaving()

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    const answer = await saving.save(() => changeLocaleSettings(zone.value))
    if (answer !== undefined) zone.value = answer.time_zone
  }

  return (
    <form class="su-form" onSubmit={(event) => void save(event)}>
      <TimeZoneField
        value={zone.value}
        onChoose={(chosen) => {
          zone.value = chosen
          saving.touch()
        }}
      />
      {saving.report()}
      <button class="btn" type="submit" disabled={saving.busy.value}>
        {words.value.common.save}
      </button>
    </form>
  )
}

function FreeEndForm({ initial }: { initial: WireFreeEndSettings }) {
  const text = words.value.services
  const action = useSignal(initial.action)
  const unknownEnd = useSignal(initial.unknown_end)
  const saving = useSaving()
  const choose =
    <T extends string>(box: { value: T }, among: readonly T[]) =>
    (value: string) => {
      box.value = among.find((one) => one === value) ?? box.value
      saving.touch()
    }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    await saving.save(() => changeFreeEndSettings({ action: action.value, unknown_end: unknownEnd.value }))
  }

  return (
    <form class="su-form" onSubmit={(event) => void save(event)}>
      <p class="muted">{text.freeEndLead}</p>
      <div class="two-f">
        <SelectField
          label={text.freeEndAction}
          value={action.value}
          onChoose={choose(action, ['off', 'warn', 'pause'])}
          options={(['off', 'warn', 'pause'] as const).map((value) => ({ value, label: text.freeEndActions[value] }))}
        />
        <SelectField
          label={text.unknownEnd}
          hint={text.unknownEndHint}
          value={unknownEnd.value}
          onChoose={choose(unknownEnd, ['ending', 'open'])}
          options={(['ending', 'open'] as const).map((value) => ({ value, label: text.unknownEnds[value] }))}
        />
      </div>
      {saving.report()}
      <button class="btn" type="submit" disabled={saving.busy.value}>
        {words.value.common.save}
      </button>
    </form>
  )
}

function UpdatesForm({ initial }: { initial: WireUpdateSettings }) {
  const text = words.value.services
  const stored = useSignal(initial)
  const repository = useSignal(initial.repository)
  const address = useSignal(initial.api_address)
  const saving = useSaving()

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    const body = { repository: repository.value.trim(), api_address: address.value.trim() }
    const answer = await saving.save(() => changeUpdateSettings(body))
    if (answer === undefined) return
    stored.value = answer
    address.value = answer.api_address
  }

  return (
    <form class="su-form" autocomplete="off" onSubmit={(event) => void save(event)}>
      <p class="muted">{text.updatesLead}</p>
      <div class="two-f">
        <TextField
          label={text.repository}
          address
          maxLength={repositoryCharactersMax}
          value={repository.value}
          onText={(value) => {
            repository.value = value
            saving.touch()
          }}
          hint={text.repositoryHint}
        />
        <TextField
          label={text.apiAddress}
          address
          maxLength={serviceAddressCharactersMax}
          value={address.value}
          onText={(value) => {
            address.value = value
            saving.touch()
          }}
          hint={text.addressHint}
        />
      </div>
      {saving.report()}
      {stored.value.repository === '' ? null : (
        <CheckResult of={`${stored.value.api_address} ${stored.value.repository}`} />
      )}
      <button class="btn" type="submit" disabled={saving.busy.value}>
        {words.value.common.save}
      </button>
    </form>
  )
}

export function ServiceSections({ at }: { at: string | null }) {
  const text = words.value.services
  useEffect(() => {
    if (at === 'services') document.getElementById('services')?.scrollIntoView()
  }, [at])
  return (
    <>
      <Loaded title={words.value.common.timeZone} name="locale-settings" load={fetchLocaleSettings}>
        {(stored) => <LocaleForm initial={stored} />}
      </Loaded>
      <Loaded title={text.freeEnd} name="free-end-settings" load={fetchFreeEndSettings}>
        {(stored) => <FreeEndForm initial={stored} />}
      </Loaded>
      <div id="services">
        <Loaded title={text.metadata} name="metadata-settings" load={fetchMetadataSettings}>
          {(stored) => <MetadataForm initial={stored} />}
        </Loaded>
      </div>
      <Loaded title={text.updates} name="update-settings" load={fetchUpdateSettings}>
        {(stored) => <UpdatesForm initial={stored} />}
      </Loaded>
      <Loaded title={text.proxyTitle} name="proxy-settings" load={fetchProxySettings}>
        {(stored) => <ProxyForm initial={stored} />}
      </Loaded>
    </>
  )
}
