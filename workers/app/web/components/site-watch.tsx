/** What a member watches at one site: the way to the next level, and how the account came to where it is. */
import { useSignal } from '@preact/signals'
import { setting } from '#shared/pages/set.ts'
import type { WireLevelCondition, WireSeedingDuty, WireSiteDay } from '../../contract/site-watch.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { actOnTorrents } from '../api/downloaders.ts'
import { fetchSeedingDuties, fetchSiteDays, fetchSiteStanding, type ReadFigures } from '../api/sites.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined, pointsText, ratioText } from '../model/amounts.ts'
import type { ChartRange } from '../model/chart.ts'
import { dayText } from '../model/moments.ts'
import { noSearch, searchHash } from '../model/search-query.ts'
import {
  csvOf,
  type HistoryMeasure,
  historyBars,
  historyFields,
  historyMeasures,
  shareOf,
} from '../model/site-history.ts'
import { language } from '../preferences.ts'
import { type Resource, useResource } from '../resource.ts'
import { BarChart } from './bar-chart.tsx'
import { ChartHead, FiguresTable, TrafficKey } from './chart-frame.tsx'
import { Meter, Moment } from './figure.tsx'
import { amountText, dateText } from './level-text.ts'
import { Loaded } from './loaded.tsx'
import { ReasonWords } from './reason.tsx'
import { Section } from './section.tsx'
import { SitePlan } from './site-plan.tsx'
import { SitePromotions } from './site-promotions.tsx'
import { StateMark } from './state-mark.tsx'
import { FigurePlaces, type SayFigure } from './tried-figures.tsx'

function Conditions({ list, caption }: { list: readonly WireLevelCondition[]; caption: string }) {
  const text = words.value.siteWatch
  return (
    <table class="fold lvl">
      <thead>
        <tr>
          <th scope="col">{caption}</th>
          <th scope="col" class="num">
            {text.have}
          </th>
          <th scope="col" class="num">
            {text.need}
          </th>
          <th scope="col">
            <span class="vh">{text.share}</span>
          </th>
          <th scope="col" class="num">
            {text.missing}
          </th>
          <th scope="col" class="num">
            {text.when}
          </th>
        </tr>
      </thead>
      <tbody>
        {list.map((one) => (
          <tr key={one.condition}>
            <th scope="row" class="name">
              {text.conditions[one.condition]}
            </th>
            <td class="num">
              {one.have === undefined ? (
                <span class="faint">{one.met === true ? '∞' : text.untold}</span>
              ) : (
                amountText(one.condition, one.have)
              )}
            </td>
            <td class="num muted of">{one.need === undefined ? '—' : amountText(one.condition, one.need)}</td>
            <td class="pg">
              {shareOf(one) === undefined ? null : (
                <Meter percent={shareOf(one) ?? 0} tone={one.met === true ? 'g' : 'f'} />
              )}
            </td>
            <td class="num">
              {one.met === false && one.need !== undefined && one.have !== undefined
                ? one.condition === 'days'
                  ? text.days(grouped(Math.ceil(one.need - one.have)))
                  : amountText(one.condition, one.need - one.have)
                : '—'}
            </td>
            <td class="num dt">
              {one.met === true ? (
                <StateMark mark="m-done" tone="good">
                  {text.met}
                </StateMark>
              ) : one.at === undefined ? (
                <span class="tag guess">{text.noDate}</span>
              ) : (
                dateText(one.at)
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** `readAt`: when figures were read last, as both follow them. */
interface Followed {
  readonly site: string
  readonly readAt: number
}

function Standing({ site, readAt }: Followed) {
  const text = words.value.siteWatch
  const standing = useResource(`standing ${site} ${readAt}`, (signal) => fetchSiteStanding(site, signal))
  return (
    <Section title={text.level}>
      <Loaded of={standing} skeletonRows={2}>
        {(data) => (
          <>
            <p class="pad">
              {data.shown === undefined ? text.noLevel : <b>{data.shown}</b>}{' '}
              {data.next === undefined ? (
                <span class="muted">
                  {!data.known ? text.unknownSite : data.level === undefined ? text.unknownLevel : text.highest}
                </span>
              ) : (
                <span class="muted">
                  {text.next(data.next.name)}{' '}
                  {data.next.at === undefined ? text.nextUndated : text.nextAt(dateText(data.next.at))}
                </span>
              )}
            </p>
            {data.next === undefined ? null : (
              <>
                <Conditions list={data.next.conditions} caption={text.asksFor(data.next.name)} />
                {(data.next.any_of ?? []).map((list, at) => (
                  <Conditions
                    key={list.map(({ condition }) => condition).join()}
                    list={list}
                    caption={text.oneOf(at + 1)}
                  />
                ))}
                <p class="small faint pad">{text.pace(data.pace_days)}</p>
              </>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function Picture({
  days,
  measure,
  range,
}: {
  days: readonly WireSiteDay[]
  measure: HistoryMeasure
  range: ChartRange
}) {
  const text = words.value.siteWatch
  const chart = words.value.overview
  const { fields, bars, unit } = historyBars(days, measure, range)
  if (bars.length === 0) return <p class="muted pad">{text.oneDay}</p>
  const isTraffic = measure === 'traffic'
  const valueText = (value: number) => (unit === '' ? pointsText(value) : `${pointsText(value)} ${unit}`)
  const series = fields.map((field, nth) => ({
    name: text.measures[field],
    told: bars.map(({ values }) => values[nth]).filter((value) => value !== undefined),
    values: bars.map(({ values }) => values[nth] ?? 0),
  }))
  const finding = series.map(({ name, told }) => {
    const [first, last] = [told[0], told.at(-1)]
    if (first === undefined || last === undefined) return undefined
    return isTraffic
      ? `${name} +${valueText(told.reduce((sum, one) => sum + one, 0))}`
      : text.finding(name, valueText(first), valueText(last))
  })
  return (
    <>
      <BarChart
        finding={finding.filter((one) => one !== undefined).join(', ') || chart.chartEmpty}
        series={series}
        look={isTraffic ? 'below' : 'beside'}
        columns={bars.map(({ day, values }) => {
          const isGap = values.every((value) => value === undefined)
          const told = values.map(
            (value, nth) => `${series[nth]?.name} ${value === undefined ? '—' : valueText(value)}`,
          )
          const label = dayText(day, language.value)
          return { label, told: `${label}: ${isGap ? chart.noSnapshot : told.join(', ')}`, isGap }
        })}
        axis={(value) => pointsText(Math.round(value * 100) / 100)}
        lastLabel={chart.todayLabel}
        soFar={(value) => value}
        gapWord={chart.noSnapshot}
        walk={text.walk}
      />
      {isTraffic ? (
        <div class="key">
          <TrafficKey unit={unit} />
        </div>
      ) : null}
    </>
  )
}

function Table({ days }: { days: readonly WireSiteDay[] }) {
  const text = words.value.siteWatch
  const bytes = (value: number | undefined) => (value === undefined ? '—' : joined(bytesAmount(value)))
  return (
    <FiguresTable
      summary={words.value.overview.asTable}
      day={words.value.overview.day}
      heads={historyFields.map((one) => text.measures[one])}
      rows={days.toReversed().map((one) => ({
        key: one.day,
        day: one.day,
        figures: [
          bytes(one.uploaded),
          bytes(one.downloaded),
          one.ratio === undefined ? '—' : ratioText(one.ratio),
          one.bonus === undefined ? '—' : pointsText(one.bonus),
          bytes(one.seeding_size),
        ],
      }))}
    />
  )
}

/** The file is made here of what the page shows. */
function save(site: string, days: readonly WireSiteDay[]): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([csvOf(days)], { type: 'text/csv;charset=utf-8' }))
  link.download = `${site}-history.csv`
  link.click()
  URL.revokeObjectURL(link.href)
}

function History({ site, readAt }: Followed) {
  const text = words.value.siteWatch
  const range = useSignal<ChartRange>(30)
  const measure = useSignal<HistoryMeasure>('traffic')
  const name = `days ${site} ${range.value} ${readAt}`
  const history = useResource(name, (signal) => fetchSiteDays(site, range.value, signal))
  const { key } = history.state.value
  return (
    <section class="sec">
      <ChartHead
        title={text.history}
        measures={historyMeasures}
        measure={measure}
        names={text.measures}
        range={range}
      />
      <Loaded of={history} skeletonRows={3}>
        {({ items }) => (
          <div class="plot-box" aria-busy={key === name ? undefined : 'true'}>
            {items.length === 0 ? (
              <p class="muted pad">{words.value.overview.chartEmpty}</p>
            ) : (
              <>
                <Picture days={items} measure={measure.value} range={range.value} />
                <Table days={items} />
                <button class="btn" type="button" onClick={() => save(site, items)}>
                  {text.csv}
                </button>
              </>
            )}
          </div>
        )}
      </Loaded>
    </section>
  )
}

const dutyMarks = {
  free: ['m-done', 'good'],
  seeding: ['m-on', 'good'],
  standing: ['m-warn', 'warn'],
  missing: ['m-bad', 'bad'],
  downloading: ['m-part', 'acc'],
  unknown: ['m-guess', 'faint'],
} as const

const dutyMeters = { free: 'g', seeding: 'f', standing: 'o', missing: 'b', downloading: 'o', unknown: 'o' } as const

function hoursText(seconds: number): string {
  return words.value.siteWatch.hours(pointsText(Math.floor(seconds / 360) / 10))
}

const isFree = ({ state }: WireSeedingDuty) => state === 'free'

/** What came of it stands here: the ledger says so once the downloader was looked at again. */
function Resume({ of: { downloader_id, task_id } }: { of: WireSeedingDuty }) {
  const outcome = useSignal<Reason | 'resumed' | undefined>(undefined)
  const { value } = outcome
  const resume = async () => {
    const answer = await actOnTorrents('resume', [{ downloader_id, task_id }])
    outcome.value = answer.ok ? (answer.value.results[0]?.reason ?? 'resumed') : answer.failure.reason
  }
  if (value === undefined)
    return (
      <button class="link-button" type="button" onClick={() => void resume()}>
        {words.value.torrents.resume}
      </button>
    )
  if (value === 'resumed') return words.value.siteWatch.resumed
  return <ReasonWords reason={value} todo />
}

function Duties({ site }: { site: string }) {
  const text = words.value.siteWatch
  const duties = useResource(`duties ${site}`, (signal) => fetchSeedingDuties(site, signal))
  const showsSettled = useSignal(false)
  const all = duties.state.value.data?.items ?? []
  const settled = all.filter(isFree).length
  const shown = all.filter((one) => isFree(one) === showsSettled.value)

  return (
    <section class="sec">
      <header>
        <h2>H&amp;R</h2>
        {settled === 0 ? null : (
          <span class="end">
            <button
              class="link-button"
              type="button"
              aria-pressed={showsSettled.value}
              onClick={setting(showsSettled, !showsSettled.value)}
            >
              {text.settled(grouped(settled))}
            </button>
          </span>
        )}
      </header>
      <Loaded of={duties} skeletonRows={2}>
        {({ rule }) => (
          <>
            <p class="pad muted">
              {rule === undefined
                ? text.noRule
                : [
                    rule.seed_hours === undefined ? '' : text.hours(grouped(rule.seed_hours)),
                    rule.ratio === undefined ? '' : text.orRatio(ratioText(rule.ratio)),
                  ]
                    .filter(Boolean)
                    .join(' ')}
            </p>
            {shown.length === 0 ? (
              <p class="pad">{text.noDuties}</p>
            ) : (
              <table class="fold hr">
                <thead>
                  <tr>
                    <th scope="col">{words.value.torrents.columns.title}</th>
                    <th scope="col" class="num">
                      {text.given}
                    </th>
                    <th scope="col">
                      <span class="vh">{text.share}</span>
                    </th>
                    <th scope="col" class="num">
                      {text.measures.ratio}
                    </th>
                    <th scope="col">{words.value.tasks.state}</th>
                    <th scope="col" class="num">
                      {text.freeIn}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {shown.map((one) => {
                    const [mark, tone] = dutyMarks[one.state]
                    return (
                      <tr key={one.torrent_id}>
                        <td class="name">
                          <span class="cut" title={one.title}>
                            {one.title}
                          </span>
                          <span class="sub faint">
                            {one.downloader}
                            {one.looked_at === undefined ? null : (
                              <>
                                {' · '}
                                <Moment seconds={one.looked_at} />
                              </>
                            )}
                          </span>
                        </td>
                        <td class="num gv">
                          <span class="phone-only faint">{text.given} </span>
                          {one.seeded === undefined ? '—' : hoursText(one.seeded)}
                        </td>
                        <td class="pg">
                          {one.seeded === undefined || rule?.seed_hours === undefined ? null : (
                            <Meter percent={one.seeded / (36 * rule.seed_hours)} tone={dutyMeters[one.state]} />
                          )}
                        </td>
                        <td class="num rt">
                          <span class="phone-only faint">{text.measures.ratio} </span>
                          {one.ratio === undefined ? '—' : ratioText(one.ratio)}
                        </td>
                        <td class="st-c">
                          <StateMark mark={mark} tone={tone}>
                            {text.dutyStates[one.state]}
                          </StateMark>
                        </td>
                        <td class="num fr">
                          {one.state === 'missing' ? (
                            <a class="link" href={searchHash({ ...noSearch, words: one.title, sites: [site] })}>
                              {text.find}
                            </a>
                          ) : one.state === 'standing' ? (
                            <Resume of={one} />
                          ) : one.free_at !== undefined ? (
                            <Moment seconds={one.free_at} />
                          ) : one.left === undefined ? (
                            '—'
                          ) : (
                            hoursText(one.left)
                          )}
                        </td>
                      </tr>
                    )
                  })}
                </tbody>
              </table>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

/** Where each figure was read: what a member looks at before a report that one of them is wrong. */
function Places({ figures, say }: { figures: Resource<ReadFigures>; say: SayFigure }) {
  const text = words.value.siteWatch
  return (
    <Section title={text.places}>
      <Loaded of={figures} skeletonRows={4}>
        {({ items, read_at }) =>
          items.length === 0 ? (
            <p class="pad muted">{words.value.site.noFigures}</p>
          ) : (
            <dl class="kv pad small places">
              <FigurePlaces figures={items} say={say} />
              <dt>{words.value.site.figuresOf}</dt>
              <dd>
                <Moment seconds={read_at} />
              </dd>
            </dl>
          )
        }
      </Loaded>
    </Section>
  )
}

export function SiteWatch(props: {
  readonly site: string
  readonly id: number
  readonly readAt: number
  readonly figures: Resource<ReadFigures>
  readonly say: SayFigure
}) {
  const { site, readAt } = props
  return (
    <>
      <Standing site={site} readAt={readAt} />
      <SitePlan site={site} />
      <Duties site={site} />
      <History site={site} readAt={readAt} />
      <SitePromotions id={props.id} />
      <Places figures={props.figures} say={props.say} />
    </>
  )
}
