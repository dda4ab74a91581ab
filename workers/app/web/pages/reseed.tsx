/** Seeding on other sites what the disks hold: on which, how often they are asked, and what came of it. */
import type { IconName } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { WireReseed } from '../../contract/console-reseed.ts'
import { reseedAsksMax } from '../../limits.ts'
import { changeReseed, fetchReseeds, type Reseeds } from '../api/automation.ts'
import { fetchSiteSettings } from '../api/sites.ts'
import { DecidedRow } from '../components/decided-row.tsx'
import { TextField, Tick, Ticks } from '../components/field.tsx'
import { Moment } from '../components/figure.tsx'
import { FormFrame } from '../components/form-frame.tsx'
import { List } from '../components/loaded.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { Shell } from '../components/shell.tsx'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { siteLabel } from '../model/site-board.ts'
import { digitsOf } from '../model/typed-number.ts'
import { type Resource, useResource } from '../resource.ts'
import { useForm } from '../use-form.ts'

const everyMs = 5000

const marks: Readonly<Record<WireReseed['state'], readonly [IconName, string]>> = {
  none: ['m-off', 'faint'],
  other: ['m-off', 'warn'],
  unanswered: ['m-off', 'warn'],
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
      [text.asked(grouped(asks)), ...ways.map(({ way, found }) => text.ways[way](grouped(found)))].join(' · '),
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

function Row({ item }: { item: WireReseed }) {
  const text = words.value.reseed
  return (
    <DecidedRow
      mark={marks[item.state]}
      state={text.states[item.state]}
      title={item.title}
      size={item.size}
      about={
        <>
          {item.site} · {item.downloader} · <Moment seconds={item.since} />
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
  const sites = useResource('site-settings', fetchSiteSettings)
  const stored = reseeds.state.value.data
  return (
    <Shell screen="reseed" title={words.value.screens.reseed}>
      <p class="muted lead">{text.lead}</p>
      {stored === undefined ? null : (
        <List of={sites} skeletonRows={2} empty={<Empty title={text.noSites} body={text.noSitesBody} />}>
          {({ items }) => (
            <div class="form-column">
              <Settings
                stored={stored}
                of={reseeds}
                sites={items
                  .filter(({ search, enabled }) => search && enabled)
                  .map((site) => ({ name: site.name, label: siteLabel(site) }))}
              />
            </div>
          )}
        </List>
      )}
      <section class="sec">
        <header>
          <h2>{text.found}</h2>
        </header>
        <List of={reseeds} skeletonRows={3} empty={<Empty title={text.emptyTitle} body={text.emptyBody} />}>
          {({ items }) => (
            <ul class="dls reseeds">
              {items.map((item) => (
                <Row key={item.id} item={item} />
              ))}
            </ul>
          )}
        </List>
      </section>
    </Shell>
  )
}
