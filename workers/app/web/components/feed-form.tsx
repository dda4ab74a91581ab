/** Adding and changing a feed. */
import type { FeedBody, WireFeed } from '../../contract/console-feeds.ts'
import type { WireConsoleSite } from '../../contract/console-sites.ts'
import { feedAddressCharactersMax, feedMinutesMax, feedMinutesMin, feedNameCharactersMax } from '../../limits.ts'
import { addFeed, changeFeed } from '../api/automation.ts'
import { words } from '../locales/words.ts'
import { siteLabel } from '../model/site-board.ts'
import { useForm } from '../use-form.ts'
import { SelectField, TextField, Tick } from './field.tsx'
import { FormFrame } from './form-frame.tsx'

const everyDefault = '10'
const minutesCharactersMax = 5

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
    every: stored === undefined ? everyDefault : String(stored.every_minutes),
    enabled: stored?.enabled ?? true,
  })
  const draft = form.values
  const hasAddress = stored !== undefined && stored.host !== ''
  const minutes = /^\s*[0-9]{1,5}\s*$/.test(draft.every) ? Number(draft.every) : Number.NaN
  const isMinutes = minutes >= feedMinutesMin && minutes <= feedMinutesMax
  const isNamed = draft.name.trim() !== ''
  const address = draft.address.trim()
  const body: FeedBody = {
    name: draft.name.trim(),
    site: draft.site,
    every_minutes: minutes,
    enabled: draft.enabled,
    // What is stored is kept while nothing is typed over it.
    ...(hasAddress && address === '' && !draft.isList ? {} : { address: draft.isList ? '' : address }),
  }
  return (
    <FormFrame
      form={form}
      isRight={isNamed && isMinutes}
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
        <TextField
          label={text.name}
          {...form.typed('name')}
          maxLength={feedNameCharactersMax}
          error={form.wrong(!isNamed, text.nameNeeded, 'name')}
        />
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
      {draft.isList ? null : (
        <TextField
          label={text.address}
          address
          {...form.typed('address')}
          maxLength={feedAddressCharactersMax}
          hint={hasAddress ? text.addressKept(stored.host) : text.addressHint}
          error={form.wrong(false, '', 'address')}
        />
      )}
      {hasAddress ? <Tick {...form.ticked('isList')}>{text.listInstead}</Tick> : null}
      <TextField
        label={text.every}
        number
        {...form.typed('every')}
        maxLength={minutesCharactersMax}
        error={form.wrong(!isMinutes, text.everyWrong(feedMinutesMin, feedMinutesMax), 'every_minutes')}
      />
      <Tick {...form.ticked('enabled')}>{text.enabled}</Tick>
    </FormFrame>
  )
}
