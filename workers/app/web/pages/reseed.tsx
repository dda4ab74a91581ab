/** Seeding on other sites what the disks hold: on which, how often they are asked, and what came of it. */

import { TextField, Tick } from '#shared/pages/field.tsx'
import type { IconName } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { WireReseed } from '../../contract/console-reseed.ts'
import { usualReseedAddress } from '../../core/vocabulary.ts'
import { reseedAsksMax } from '../../limits.ts'
import { changeReseed, changeReseedService, fetchReseeds, type Reseeds } from '../api/automation.ts'
import { DecidedRow } from '../components/decided-row.tsx'
import { Ticks } from '../components/field.tsx'
import { Moment } from '../components/figure.tsx'
import { FormFrame } from '../components/form-frame.tsx'
import { List } from '../components/loaded.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { Shell } from '../components/shell.tsx'
import { ServiceAddressField, StoredKey, typedKey } from '../components/stored-key.tsx'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { siteLabel } from '../model/site-board.ts'
import { digitsOf } from '../model/typed-number.ts'
import { type Resource, useResource } from '../resource.ts'
import { useForm } from '../use-form.ts'
import { useNamed, useSites } from '../use-sites.ts'

const everyMs = 5000

const marks: Readonly<Record<WireReseed['state'], readonly [IconName, string]>> = {
  none: ['m-off', 'faint'],
  other: ['m-off', 'warn'],
  unanswered: ['m-off', 'warn'],
  told: ['m-part', 'faint'],
  present: ['m-done', 'faint'],
  adding: ['m-part', 'acc'],
  checking: ['m-part', 'acc'],
  seeding: ['m-done', 'good'],
  failed: ['m-bad', 'bad'],
}

function Settings(props: {
  stored: Reseeds
  sites: readonly { readonly name: string; readonly label: string }[]
  of: Resource<Reseeds>
}) {
  const { stored } = props
  const text = words.value.reseed
  const asked = new Map(
    stored.asked.map(({ site, asks, ways }) => [
      site,
      [text.asked(grouped(asks)), ...ways.map(({ way, found }) => text.foundBy(text.ways[way], grouped(found)))].join(
        ' · ',
      ),
    ]),
  )
  const first = { enabled: stored.enabled, sites: stored.sites, asks: String(stored.asks_per_day) }
  const form = useForm<{ enabled: boolean; sites: readonly string[]; asks: string }>(first)
  const { enabled, sites, asks } = form.values
  const perDay = /^[0-9]{1,3}$/.test(asks.trim()) ? Number(asks) : Number.NaN
  const isRight = perDay >= 2 && perDay <= reseedAsksMax
  return (
    <FormFrame
      form={form}
      isRight={isRight}
      send={() => changeReseed({ enabled, sites: [...sites], asks_per_day: perDay })}
      onSaved={async () => {
        await props.of.reload()
        form.restart({ enabled, sites, asks })
      }}
      submitWords={words.value.common.save}
    >
      <Tick {...form.ticked('enabled')}>{text.enabled}</Tick>
      <Ticks
        legend={text.sites}
        options={props.sites.map(({ name, label }) => ({
          value: name,
          label: asked.has(name) ? `${label} · ${asked.get(name)}` : label,
        }))}
        value={sites}
        onChoose={(chosen) => form.set({ sites: chosen })}
      />
      <TextField
        label={text.asks}
        number
        {...form.typed('asks')}
        maxLength={digitsOf(reseedAsksMax)}
        hint={text.asksHint}
        error={form.wrong(!isRight, text.asksWrong(reseedAsksMax), 'asks_per_day')}
      />
    </FormFrame>
  )
}

function Service({ of, stored }: { of: Resource<Reseeds>; stored: Reseeds['service'] }) {
  const text = words.value.reseed
  const form = useForm({ key: '', removeKey: false, address: stored.address })
  return (
    <FormFrame
      form={form}
      isRight
      send={() => changeReseedService({ address: form.values.address.trim(), token: typedKey(form.values) })}
      onSaved={async ({ address }) => {
        await of.reload()
        form.restart({ key: '', removeKey: false, address })
      }}
      submitWords={words.value.common.save}
    >
      <h2>{text.service}</h2>
      <p class="muted">{text.serviceLead}</p>
      <StoredKey
        label={text.token}
        typed={form.typed('key')}
        hint={undefined}
        isStored={stored.has_token}
        removal={form.ticked('removeKey')}
      />
      <ServiceAddressField
        label={words.value.services.apiAddress}
        {...form.typed('address')}
        usual={usualReseedAddress}
        error={form.wrong(false, '', 'address')}
      />
      {stored.reason === undefined ? null : (
        <p class="small warn">
          <ReasonWords reason={stored.reason} todo />
        </p>
      )}
      {stored.asked_at === undefined ? null : (
        <p class="small faint">
          {text.known(grouped(stored.sites.length))} <Moment seconds={stored.asked_at} />
        </p>
      )}
    </FormFrame>
  )
}

function Row({ item, site }: { item: WireReseed; site: string }) {
  const text = words.value.reseed
  return (
    <DecidedRow
      mark={marks[item.state]}
      state={text.states[item.state]}
      title={item.title}
      size={item.size}
      about={
        <>
          {site} · {item.downloader} · {text.ways[item.way]} · <Moment seconds={item.since} />
        </>
      }
    >
      {item.other_title === undefined || item.other_title === item.title ? null : (
        <p class="small faint">{item.other_title}</p>
      )}
      {item.reason === undefined ? null : (
        <p class={item.state === 'failed' ? 'small bad' : 'small faint'}>
          <ReasonWords reason={item.reason} todo />
        </p>
      )}
    </DecidedRow>
  )
}

export function ReseedPage() {
  const text = words.value.reseed
  const reseeds = useResource('reseeds', fetchReseeds, everyMs)
  const known = useSites()
  const { settings: sites, labelOf } = known
  const found = useNamed(reseeds, known)
  const stored = reseeds.state.value.data
  return (
    <Shell screen="reseed" title={words.value.screens.reseed}>
      <p class="muted lead">{text.lead}</p>
      {stored === undefined ? null : (
        <List of={sites} skeletonRows={2} empty={<Empty title={text.noSites} body={text.noSitesBody} />}>
          {({ items }) => (
            <div class="form-column stack">
              <Settings
                stored={stored}
                of={reseeds}
                sites={items
                  .filter(({ search, enabled }) => search && enabled)
                  .map((site) => ({ name: site.name, label: siteLabel(site) }))}
              />
              <Service of={reseeds} stored={stored.service} />
            </div>
          )}
        </List>
      )}
      <section class="sec">
        <header>
          <h2>{text.found}</h2>
        </header>
        <List of={found} skeletonRows={3} empty={<Empty title={text.emptyTitle} body={text.emptyBody} />}>
          {({ items }) => (
            <ul class="dls reseeds">
              {items.map((item) => (
                <Row key={item.id} item={item} site={labelOf(item.site)} />
              ))}
            </ul>
          )}
        </List>
      </section>
    </Shell>
  )
}
