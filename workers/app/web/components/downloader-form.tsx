/** Adding and changing a downloader, with a connection test before anything is stored. */

import type { ComponentChildren } from 'preact'
import { TextField, Tick } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import type { DownloaderBody, WireConsoleDownloader } from '../../contract/console.ts'
import { downloaderKinds } from '../../core/vocabulary.ts'
import {
  downloaderAddressCharactersMax,
  downloaderCredentialCharactersMax,
  downloaderNameCharactersMax,
  minFreeGibMax,
} from '../../limits.ts'
import { addDownloader, changeDownloader, testDownloader } from '../api/downloaders.ts'
import { words } from '../locales/words.ts'
import { bytesAmount } from '../model/amounts.ts'
import { digitsOf } from '../model/typed-number.ts'
import { useForm, useTrial } from '../use-form.ts'
import { Choice } from './field.tsx'
import { Figure } from './figure.tsx'
import { FormFrame } from './form-frame.tsx'
import { NameField } from './name-field.tsx'
import { TestButton, TestReport } from './test-report.tsx'

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

  const { type, username, password } = form.values
  const name = form.values.name.trim()
  const address = form.values.address.trim()
  const minFree = form.values.minFree.trim()
  const addressWrong = !/^https?:\/\/[^/\s]/i.test(address)
  const minFreeWrong = minFree !== '' && (!/^[0-9]{1,7}$/.test(minFree) || Number(minFree) > minFreeGibMax)
  /** The stored password is write-only: an empty box means it stays. */
  const place = { type, address, username, ...(stored !== undefined && password === '' ? {} : { password }) }

  const trial = useTrial(form, () =>
    testDownloader({ ...place, ...(stored === undefined || password !== '' ? {} : { id: stored.id }) }),
  )
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
      beside={<TestButton form={form} of={trial} isRight={!addressWrong} text={text} />}
    >
      <Choice
        legend={text.type}
        name="type"
        {...form.chosen('type')}
        options={downloaderKinds.map((kind) => ({
          value: kind,
          label: text.kinds[kind],
          hint: text.kindHints[kind],
        }))}
      />
      <div class="two-f">
        <NameField of={form} max={downloaderNameCharactersMax} />
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
        maxLength={digitsOf(minFreeGibMax)}
        hint={text.minFreeHint}
        error={form.wrong(minFreeWrong, text.minFreeWrong, 'min_free_gib')}
      />
      <div class="ticks">
        <Tick {...form.ticked('enabled')}>
          {text.enabled} <span class="faint small">{text.enabledHint}</span>
        </Tick>
        <Tick {...form.ticked('isDefault')}>{text.isDefault}</Tick>
      </div>
      <TestReport
        of={trial}
        works={({ reachable }) => reachable}
        text={text}
        tell="plain"
        beside={({ version }) => (version === undefined ? null : <span class="faint small">{version}</span>)}
      >
        {({ free_space: free }) =>
          free === undefined ? null : (
            <li>
              <span class="good">
                <Icon name="m-done" />
              </span>
              <span class="grow">{text.free}</span>
              <span class="faint small">
                <Figure amount={bytesAmount(free)} />
              </span>
            </li>
          )
        }
      </TestReport>
    </FormFrame>
  )
}
