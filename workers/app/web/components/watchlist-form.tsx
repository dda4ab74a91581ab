/** Adding and changing a watchlist, with what it would subscribe to before anything is stored. */

import { TextArea, TextField, Tick } from '#shared/pages/field.tsx'
import type { TryWatchlistBody, WatchlistBody, WireWatchlist } from '../../contract/console-watchlists.ts'
import { firstLooks, watchlistKinds } from '../../core/vocabulary.ts'
import {
  channelNameCharactersMax,
  feedAddressCharactersMax,
  watchlistAccountCharactersMax,
  watchlistFileCharactersMax,
  watchlistKeyCharactersMax,
  watchlistMinutesMax,
  watchlistMinutesMin,
} from '../../limits.ts'
import { addWatchlist, changeWatchlist, tryWatchlist } from '../api/watchlists.ts'
import { words } from '../locales/words.ts'
import { digitsOf } from '../model/typed-number.ts'
import { useForm, useTrial } from '../use-form.ts'
import { Choice, Options } from './field.tsx'
import { FormFrame } from './form-frame.tsx'
import { NameField } from './name-field.tsx'
import { ChoiceFields } from './subscription-settings.tsx'
import { TestButton, TestReport } from './test-report.tsx'

const hoursDefault = '6'

export function WatchlistForm(props: { stored: WireWatchlist | undefined; submitWords: string; onSaved: () => void }) {
  const { stored } = props
  const text = words.value.watchlists
  const form = useForm({
    kind: stored?.kind ?? ('rss' as WatchlistBody['kind']),
    name: stored?.name ?? '',
    address: '',
    account: stored?.account ?? '',
    list: stored?.list ?? '',
    key: '',
    file: '',
    hours: stored === undefined ? hoursDefault : String(Math.round(stored.every_minutes / 60)),
    firstLook: stored?.first_look ?? ('new' as WatchlistBody['first_look']),
    profileId: stored?.profile_id ?? 0,
    downloaderId: stored?.downloader_id ?? 0,
    upgrade: stored?.upgrade ?? false,
    enabled: stored?.enabled ?? true,
  })
  const { kind, key, file, firstLook, profileId, downloaderId, upgrade, enabled } = form.values
  const isNew = stored === undefined
  const isFile = kind === 'imdb' && file.trim() !== ''
  const hasAccount = kind === 'trakt' || kind === 'douban'
  const name = form.values.name.trim()
  const address = form.values.address.trim()
  const account = form.values.account.trim()
  const minutes = /^\d{1,3}$/.test(form.values.hours.trim()) ? Number(form.values.hours) * 60 : Number.NaN
  const hoursWrong = !(minutes >= watchlistMinutesMin && minutes <= watchlistMinutesMax)
  const addressWrong = !hasAccount && !isFile && (address === '' ? isNew : !/^https?:\/\/[^/\s]/i.test(address))
  const accountWrong = hasAccount && account === ''
  const keyWrong = kind === 'trakt' && isNew && key === ''
  const isRight = name !== '' && !hoursWrong && !addressWrong && !accountWrong && !keyWrong
  const place: TryWatchlistBody = {
    kind,
    ...(address === '' ? {} : { address }),
    ...(hasAccount ? { account } : {}),
    ...(kind === 'trakt' ? { list: form.values.list.trim() } : {}),
    ...(key === '' ? {} : { key }),
    ...(isFile ? { file } : {}),
  }
  const body: WatchlistBody = {
    name,
    enabled,
    every_minutes: minutes,
    first_look: firstLook,
    profile_id: profileId,
    downloader_id: downloaderId,
    upgrade,
    ...place,
  }
  const trial = useTrial(form, () => tryWatchlist({ ...place, ...(stored === undefined ? {} : { id: stored.id }) }))
  return (
    <FormFrame
      form={form}
      isRight={isRight}
      send={() => (stored === undefined ? addWatchlist(body) : changeWatchlist(stored.id, body))}
      onSaved={props.onSaved}
      submitWords={props.submitWords}
      beside={<TestButton form={form} of={trial} isRight={!addressWrong && !accountWrong && !keyWrong} text={text} />}
    >
      {isNew ? (
        <Choice
          legend={text.kind}
          name="kind"
          value={kind}
          options={watchlistKinds.map((value) => ({ value, label: text.kinds[value], hint: text.kindHints[value] }))}
          onChoose={(chosen) => {
            form.set({ kind: chosen })
            trial.forget()
          }}
        />
      ) : null}
      <div class="two-f">
        <NameField of={form} max={channelNameCharactersMax} />
        <TextField
          label={text.hours}
          number
          {...form.typed('hours')}
          maxLength={digitsOf(watchlistMinutesMax / 60)}
          error={form.wrong(hoursWrong, text.hoursWrong, 'every_minutes')}
        />
      </div>
      {hasAccount ? (
        <div class="two-f">
          <TextField
            label={text.account}
            {...form.typed('account')}
            maxLength={watchlistAccountCharactersMax}
            hint={text.accountHints[kind === 'trakt' ? 'trakt' : 'douban']}
            error={form.wrong(accountWrong, text.accountNeeded, 'account')}
          />
          {kind === 'trakt' ? (
            <TextField
              label={text.list}
              {...form.typed('list')}
              maxLength={watchlistAccountCharactersMax}
              hint={text.listHint}
            />
          ) : null}
        </div>
      ) : (
        <TextField
          label={text.address}
          address
          {...form.typed('address')}
          maxLength={feedAddressCharactersMax}
          hint={stored === undefined || stored.host === '' ? text.addressHint : text.addressKept(stored.host)}
          error={form.wrong(addressWrong, text.addressNeeded, 'address')}
        />
      )}
      {kind === 'trakt' ? (
        <TextField
          label={text.key}
          secret
          autocomplete="new-password"
          {...form.typed('key')}
          maxLength={watchlistKeyCharactersMax}
          hint={isNew ? text.keyHint : text.keyKept}
          error={form.wrong(keyWrong, text.keyNeeded, 'key')}
        />
      ) : null}
      {kind === 'imdb' ? (
        <TextArea
          label={text.file}
          {...form.typed('file')}
          maxLength={watchlistFileCharactersMax}
          hint={text.fileHint}
          error={form.wrong(false, '', 'file')}
        />
      ) : null}
      <Options
        legend={text.firstLook}
        {...form.chosen('firstLook')}
        options={firstLooks.map((value) => ({
          value,
          label: text.firstLooks[value],
          hint: text.firstLookHints[value],
        }))}
      />
      <ChoiceFields form={form} />
      <Tick {...form.ticked('enabled')}>{text.enabled}</Tick>
      <TestReport
        of={trial}
        works={({ works }) => works}
        text={text}
        tell="todo"
        beside={({ found, untried, counts }) =>
          text.would(String(found), String(counts.added ?? 0), String(counts.unclear ?? 0), String(untried))
        }
      >
        {({ items }) =>
          items.map((item, at) => (
            <li key={at}>
              <span class="grow">
                <b>{item.title}</b> {item.year}
              </span>
              <span class="tag">{item.status === 'added' ? text.wouldAdd : text.statuses[item.status]}</span>
            </li>
          ))
        }
      </TestReport>
    </FormFrame>
  )
}
