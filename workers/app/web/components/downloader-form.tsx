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
import { words } from '../locales/words.ts'
import { bytesAmount } from '../model/amounts.ts'
import { useForm } from '../use-form.ts'
import { Choice, TextField, Tick } from './field.tsx'
import { Figure } from './figure.tsx'
import { FormFrame } from './form-frame.tsx'
import { FailureWords } from './note.tsx'
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
  const form = useForm({
    type: stored?.type ?? ('qbittorrent' as DownloaderBody['type']),
    name: stored?.name ?? '',
    address: stored?.address ?? '',
    username: stored?.username ?? '',
    password: '',
    enabled: stored?.enabled ?? true,
    isDefault: stored?.default ?? props.first,
    minFree: stored === undefined ? '' : String(stored.min_free_gib),
  })
  const outcome = useSignal<TestOutcome | undefined>(undefined)

  const { type, username, password } = form.values
  const name = form.values.name.trim()
  const address = form.values.address.trim()
  const minFree = form.values.minFree.trim()
  const addressWrong = !/^https?:\/\/[^/\s]/i.test(address)
  const minFreeWrong = minFree !== '' && (!/^[0-9]{1,7}$/.test(minFree) || Number(minFree) > minFreeGibMax)
  /** The stored password is write-only: an empty box means it stays. */
  const place = { type, address, username, ...(stored !== undefined && password === '' ? {} : { password }) }

  const test = () =>
    form.run('test', !addressWrong, async () => {
      const answer = await testDownloader({
        ...place,
        ...(stored === undefined || password !== '' ? {} : { id: stored.id }),
      })
      outcome.value = answer.ok ? { result: answer.value } : { failure: answer.failure }
    })
  const body: DownloaderBody = {
    name,
    ...place,
    enabled: form.values.enabled,
    default: form.values.isDefault,
    ...(minFree === '' ? {} : { min_free_gib: Number(minFree) }),
  }

  return (
    <FormFrame
      form={form}
      isRight={name !== '' && !addressWrong && !minFreeWrong}
      send={() => (stored === undefined ? addDownloader(body) : changeDownloader(stored.id, body))}
      onSaved={props.onSaved}
      submitWords={props.submitWords}
      beforeSubmit={props.beside}
      beside={
        <button class="btn" type="button" disabled={form.busy !== undefined} onClick={() => void test()}>
          <Icon name="refresh" />
          {form.busy === 'test' ? text.testing : outcome.value === undefined ? text.test : text.testAgain}
        </button>
      }
    >
      <Choice
        legend={text.type}
        name="type"
        {...form.chosen('type')}
        options={(['qbittorrent', 'transmission'] as const).map((kind) => ({
          value: kind,
          label: text.kinds[kind],
          hint: text.kindHints[kind],
        }))}
      />
      <div class="two-f">
        <TextField
          label={text.name}
          {...form.typed('name')}
          maxLength={downloaderNameCharactersMax}
          error={form.wrong(name === '', text.nameNeeded, 'name')}
        />
        <TextField
          label={text.address}
          address
          {...form.typed('address')}
          maxLength={downloaderAddressCharactersMax}
          hint={text.addressHint}
          error={form.wrong(addressWrong, text.addressNeeded, 'address')}
        />
      </div>
      <div class="two-f">
        <TextField
          label={text.username}
          autocomplete="off"
          {...form.typed('username')}
          maxLength={downloaderCredentialCharactersMax}
        />
        <TextField
          label={text.password}
          secret
          autocomplete="new-password"
          {...form.typed('password')}
          maxLength={downloaderCredentialCharactersMax}
          hint={stored?.has_password ? text.passwordStored : undefined}
        />
      </div>
      <TextField
        label={text.minFree}
        number
        {...form.typed('minFree')}
        maxLength={7}
        hint={text.minFreeHint}
        error={form.wrong(minFreeWrong, text.minFreeWrong, 'min_free_gib')}
      />
      <div class="ticks">
        <Tick {...form.ticked('enabled')}>
          {text.enabled} <span class="faint small">{text.enabledHint}</span>
        </Tick>
        <Tick {...form.ticked('isDefault')}>{text.isDefault}</Tick>
      </div>
      {outcome.value === undefined ? null : <DownloaderTestReport outcome={outcome.value} />}
    </FormFrame>
  )
}
