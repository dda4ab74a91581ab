/** Adding and changing a downloader, with a connection test before anything is stored. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import type { DownloaderBody, WireConsoleDownloader, WireTestResult } from '../../contract/console.ts'
import {
  downloaderAddressCharactersMax,
  downloaderCredentialCharactersMax,
  downloaderNameCharactersMax,
  minFreeGibMax,
} from '../../limits.ts'
import { type ApiFailure, addDownloader, changeDownloader, testDownloader } from '../api-client.ts'
import { chosen, ticked, typed } from '../bind-field.ts'
import { words } from '../locales/words.ts'
import { bytesAmount } from '../model/amounts.ts'
import { Choice, TextField, Tick } from './field.tsx'
import { Figure } from './figure.tsx'
import { FailureNote, FailureWords } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { TestReport } from './test-report.tsx'

type TestOutcome = { readonly result: WireTestResult } | { readonly failure: ApiFailure }

function DownloaderTestReport({ outcome }: { outcome: TestOutcome }) {
  const text = words.value.downloaders
  const result = 'result' in outcome ? outcome.result : undefined
  const works = result?.reachable === true
  return (
    <TestReport
      title={text.testTitle}
      works={works}
      said={works ? text.testOk : text.testFailed}
      reason={
        'failure' in outcome ? (
          <FailureWords failure={outcome.failure} />
        ) : (
          <ReasonWords reason={result?.reason} plain />
        )
      }
      beside={result?.version === undefined ? null : <span class="faint small">{result.version}</span>}
    >
      {result?.free_space === undefined ? null : (
        <li>
          <span class="good">
            <Icon name="m-done" />
          </span>
          <span class="grow">{text.free}</span>
          <span class="faint small">
            <Figure amount={bytesAmount(result.free_space)} />
          </span>
        </li>
      )}
    </TestReport>
  )
}

export function DownloaderForm(props: {
  stored: WireConsoleDownloader | undefined
  /** The first downloader is the default one unless its owner says otherwise. */
  first: boolean
  submitWords: string
  onSaved: () => void
  beside?: ComponentChildren
}) {
  const { stored } = props
  const text = words.value.downloaders
  const type = useSignal<DownloaderBody['type']>(stored?.type ?? 'qbittorrent')
  const name = useSignal(stored?.name ?? '')
  const address = useSignal(stored?.address ?? '')
  const username = useSignal(stored?.username ?? '')
  const password = useSignal('')
  const enabled = useSignal(stored?.enabled ?? true)
  const isDefault = useSignal(stored?.default ?? props.first)
  const minFree = useSignal(stored === undefined ? '' : String(stored.min_free_gib))
  const tried = useSignal(false)
  const busy = useSignal<'save' | 'test' | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const outcome = useSignal<TestOutcome | undefined>(undefined)

  const nameMissing = name.value.trim() === ''
  const addressWrong = !/^https?:\/\/[^/\s]/i.test(address.value.trim())
  const minFreeWrong =
    minFree.value.trim() !== '' && (!/^[0-9]{1,7}$/.test(minFree.value.trim()) || Number(minFree.value) > minFreeGibMax)
  /** The stored password is write-only: an empty box means it stays. */
  const passwordPart = stored !== undefined && password.value === '' ? {} : { password: password.value }

  async function test(): Promise<void> {
    tried.value = true
    if (addressWrong || busy.value !== undefined) return
    busy.value = 'test'
    const answer = await testDownloader({
      type: type.value,
      address: address.value.trim(),
      username: username.value,
      ...passwordPart,
      ...(stored === undefined || password.value !== '' ? {} : { id: stored.id }),
    })
    outcome.value = answer.ok ? { result: answer.value } : { failure: answer.failure }
    busy.value = undefined
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    tried.value = true
    if (nameMissing || addressWrong || minFreeWrong || busy.value !== undefined) return
    busy.value = 'save'
    failure.value = undefined
    const body: DownloaderBody = {
      name: name.value.trim(),
      type: type.value,
      address: address.value.trim(),
      username: username.value,
      ...passwordPart,
      enabled: enabled.value,
      default: isDefault.value,
      ...(minFree.value.trim() === '' ? {} : { min_free_gib: Number(minFree.value.trim()) }),
    }
    const answer = stored === undefined ? await addDownloader(body) : await changeDownloader(stored.id, body)
    busy.value = undefined
    if (answer.ok) props.onSaved()
    else failure.value = answer.failure
  }

  return (
    <form class="su-form" autocomplete="off" onSubmit={(event) => void save(event)}>
      <Choice
        legend={text.type}
        name="type"
        {...chosen(type)}
        options={(['qbittorrent', 'transmission'] as const).map((kind) => ({
          value: kind,
          label: text.kinds[kind],
          hint: text.kindHints[kind],
        }))}
      />
      <div class="two-f">
        <TextField
          label={text.name}
          {...typed(name)}
          maxLength={downloaderNameCharactersMax}
          error={tried.value && nameMissing ? text.nameNeeded : undefined}
        />
        <TextField
          label={text.address}
          address
          {...typed(address)}
          maxLength={downloaderAddressCharactersMax}
          hint={text.addressHint}
          error={tried.value && addressWrong ? text.addressNeeded : undefined}
        />
      </div>
      <div class="two-f">
        <TextField
          label={text.username}
          autocomplete="off"
          {...typed(username)}
          maxLength={downloaderCredentialCharactersMax}
        />
        <TextField
          label={text.password}
          secret
          autocomplete="new-password"
          {...typed(password)}
          maxLength={downloaderCredentialCharactersMax}
          hint={stored?.has_password ? text.passwordStored : undefined}
        />
      </div>
      <TextField
        label={text.minFree}
        number
        {...typed(minFree)}
        maxLength={7}
        hint={text.minFreeHint}
        error={tried.value && minFreeWrong ? text.minFreeWrong : undefined}
      />
      <div class="ticks">
        <Tick {...ticked(enabled)}>
          {text.enabled} <span class="faint small">{text.enabledHint}</span>
        </Tick>
        <Tick {...ticked(isDefault)}>{text.isDefault}</Tick>
      </div>
      {outcome.value === undefined ? null : <DownloaderTestReport outcome={outcome.value} />}
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      <div class="su-act">
        <button class="btn" type="button" disabled={busy.value !== undefined} onClick={() => void test()}>
          <Icon name="refresh" />
          {busy.value === 'test' ? text.testing : outcome.value === undefined ? text.test : text.testAgain}
        </button>
        <span class="btns">
          {props.beside}
          <button class="btn primary" type="submit" disabled={busy.value !== undefined}>
            {props.submitWords}
          </button>
        </span>
      </div>
    </form>
  )
}
