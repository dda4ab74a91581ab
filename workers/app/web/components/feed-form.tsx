/** Adding and changing a feed. */

import { SelectField, TextField, Tick } from '#shared/pages/field.tsx'
import type { FeedBody, WireFeed } from '../../contract/console-feeds.ts'
import type { WireConsoleSite } from '../../contract/console-sites.ts'
import {
  announceChannelCharactersMax,
  announceEnterCharactersMax,
  announceLineCharactersMax,
  announcersMax,
  feedAddressCharactersMax,
  feedMinutesMax,
  feedMinutesMin,
  feedNameCharactersMax,
} from '../../limits.ts'
import { addFeed, changeFeed } from '../api/automation.ts'
import { words } from '../locales/words.ts'
import { siteLabel } from '../model/site-board.ts'
import { digitsOf } from '../model/typed-number.ts'
import { useForm } from '../use-form.ts'
import { FormFrame } from './form-frame.tsx'
import { NameField } from './name-field.tsx'

const everyDefault = '10'
const sources = ['read', 'learn', 'channel'] as const
const signInWays = ['none', 'sasl', 'nickserv'] as const
/** SHA-256 in pairs of digits with colons. */
const certificateCharacters = 32 * 3 - 1

function sourceOf(stored: WireFeed | undefined): (typeof sources)[number] {
  return stored?.announces === undefined ? 'read' : 'channel'
}

export function FeedForm(props: {
  stored: WireFeed | undefined
  sites: readonly WireConsoleSite[]
  submitWords: string
  onSaved: () => void
}) {
  const { stored, sites } = props
  const text = words.value.feeds
  const form = useForm({
    name: stored?.name ?? '',
    site: stored?.site ?? sites[0]?.name ?? '',
    address: '',
    isList: false,
    source: sourceOf(stored),
    channel: stored?.announces?.channel ?? '#',
    announcers: stored?.announces?.announcers.join(', ') ?? '',
    line: stored?.announces?.line ?? '',
    enter: '',
    signIn: stored?.announces?.sign_in ?? 'none',
    certificate: stored?.announces?.certificate ?? '',
    every: stored === undefined ? everyDefault : String(stored.every_minutes),
    enabled: stored?.enabled ?? true,
  })
  const draft = form.values
  const isChannel = draft.source === 'channel'
  const isLearned = draft.source === 'learn'
  const hasAddress = stored !== undefined && stored.host !== '' && sourceOf(stored) === draft.source
  const minutes = /^\s*[0-9]{1,5}\s*$/.test(draft.every) ? Number(draft.every) : Number.NaN
  const isMinutes = minutes >= feedMinutesMin && minutes <= feedMinutesMax
  const isNamed = draft.name.trim() !== ''
  const address = draft.address.trim()
  const announcers = draft.announcers.split(/[,，\s]+/).filter((one) => one !== '')
  const certificate = draft.certificate.trim()
  const enter = draft.enter.trim()
  const isRead = draft.source === 'read' && draft.isList
  const chosen = sites.find(({ name }) => name === draft.site)
  const known = chosen?.announces
  const body: FeedBody = {
    name: draft.name.trim(),
    site: draft.site,
    every_minutes: minutes,
    enabled: draft.enabled,
    // What is stored is kept while nothing is typed over it.
    ...(isLearned
      ? { learn: true as const }
      : hasAddress && address === '' && !isRead
        ? {}
        : { address: isRead ? '' : address }),
    ...(isChannel
      ? {
          ...(enter === '' ? {} : { enter }),
          announces: {
            channel: draft.channel.trim(),
            announcers,
            line: draft.line.trim(),
            sign_in: draft.signIn,
            ...(certificate === '' ? {} : { certificate }),
          },
        }
      : {}),
  }
  return (
    <FormFrame
      form={form}
      isRight={isNamed && isMinutes && (!isChannel || (announcers.length > 0 && draft.line.trim() !== ''))}
      send={() => (stored === undefined ? addFeed(body) : changeFeed(stored.id, body))}
      onSaved={props.onSaved}
      submitWords={props.submitWords}
      beside={
        <a class="btn" href="#/feeds">
          {words.value.common.cancel}
        </a>
      }
    >
      <div class="two-f">
        <NameField of={form} max={feedNameCharactersMax} />
        <SelectField
          label={text.site}
          value={draft.site}
          options={[
            ...sites.map((site) => ({ value: site.name, label: siteLabel(site) })),
            ...(sites.some(({ name }) => name === draft.site) ? [] : [{ value: draft.site, label: draft.site }]),
          ]}
          onChoose={(site) => form.set({ site })}
        />
      </div>
      <SelectField
        label={text.source}
        value={draft.source}
        options={sources.map((value) => ({ value, label: text.sources[value] }))}
        onChoose={(source) => form.set({ source: sources.find((one) => one === source) ?? 'read' })}
      />
      {isChannel && chosen !== undefined && known !== undefined ? (
        <button
          class="btn"
          type="button"
          onClick={() => {
            const { server, announcers, sign_in: signIn, enter = '', ...rest } = known
            // Name and password of the same server are kept.
            const address = hasAddress && server.endsWith(`/${stored.host}`) ? '' : server
            form.set({
              ...rest,
              address,
              enter: address === '' ? '' : enter,
              signIn,
              announcers: announcers.join(', '),
            })
          }}
        >
          {text.fillIn(siteLabel(chosen))}
        </button>
      ) : null}
      {isRead || isLearned ? null : (
        <TextField
          label={isChannel ? text.server : text.address}
          address
          {...form.typed('address')}
          maxLength={feedAddressCharactersMax}
          hint={hasAddress ? text.addressKept(stored.host) : isChannel ? text.serverHint : text.addressHint}
          error={form.wrong(false, '', 'address')}
        />
      )}
      {isChannel ? (
        <>
          <div class="two-f">
            <TextField
              label={text.channel}
              {...form.typed('channel')}
              maxLength={announceChannelCharactersMax}
              error={form.wrong(false, '', 'announces.channel')}
            />
            <TextField
              label={text.announcers}
              {...form.typed('announcers')}
              maxLength={announcersMax * announceChannelCharactersMax}
              error={form.wrong(announcers.length === 0, text.announcersNeeded, 'announces.announcers')}
            />
          </div>
          <TextField
            label={text.line}
            code
            {...form.typed('line')}
            maxLength={announceLineCharactersMax}
            hint={text.lineHint}
            error={form.wrong(draft.line.trim() === '', text.lineNeeded, 'announces.line')}
          />
          <TextField
            label={text.enter}
            code
            {...form.typed('enter')}
            maxLength={announceEnterCharactersMax}
            hint={stored?.enters ? text.enterKept : text.enterHint}
            error={form.wrong(false, '', 'enter')}
          />
          <div class="two-f">
            <SelectField
              label={text.signIn}
              value={draft.signIn}
              options={signInWays.map((value) => ({ value, label: text.signIns[value] }))}
              onChoose={(way) => form.set({ signIn: signInWays.find((one) => one === way) ?? 'none' })}
            />
            <TextField
              label={text.certificate}
              code
              {...form.typed('certificate')}
              maxLength={certificateCharacters}
              hint={text.certificateHint}
              error={form.wrong(false, '', 'announces.certificate')}
            />
          </div>
        </>
      ) : null}
      {hasAddress && !isChannel ? <Tick {...form.ticked('isList')}>{text.listInstead}</Tick> : null}
      <TextField
        label={text.every}
        number
        {...form.typed('every')}
        maxLength={digitsOf(feedMinutesMax)}
        error={form.wrong(!isMinutes, text.everyWrong(feedMinutesMin, feedMinutesMax), 'every_minutes')}
      />
      <Tick {...form.ticked('enabled')}>{text.enabled}</Tick>
    </FormFrame>
  )
}
