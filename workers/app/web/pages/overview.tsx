/** How everything stands: totals, what waits for its owner, the sites nearest to their limit, growth by day, last pushes. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { WireOverview } from '../../contract/overview.ts'
import type { ApiFailure } from '../api/call.ts'
import { fetchDownloaders } from '../api/downloaders.ts'
import { fetchTasks } from '../api/search.ts'
import { fetchJobs } from '../api/service.ts'
import { attendSite, fetchOverview, fetchSiteSettings, fetchSites } from '../api/sites.ts'
import { AccountFigure, UploadedToday } from '../components/account-figure.tsx'
import { Fig, Figure, Meter, Moment } from '../components/figure.tsx'
import { GrowthChart } from '../components/growth-chart.tsx'
import { withAllWords } from '../components/later.tsx'
import { Skeleton } from '../components/list-states.tsx'
import { FailureNote } from '../components/note.tsx'
import { ReasonWords, sentenceGap } from '../components/reason.tsx'
import { Shell } from '../components/shell.tsx'
import { daysLeftWords, LoginGauge, SignInState } from '../components/site-parts.tsx'
import { TaskState } from '../components/task-state.tsx'
import { UpdateNote } from '../components/update-note.tsx'
import { words } from '../locales/words.ts'
import { bytesAmount, changeAmount, grouped, joined, pointsText, ratioText } from '../model/amounts.ts'
import { attention, type Matter } from '../model/attention.ts'
import { momentText } from '../model/moments.ts'
import { isMendedInForm } from '../model/reasons.ts'
import { arrangeSites, everySite, type SiteRow, siteHash, siteLabel, siteRows } from '../model/site-board.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'

const figuresEveryMs = 60_000
const downloadersEveryMs = 10_000
const rowsShown = 7
const pushesShown = 5
const lastPushes = new URLSearchParams({ page: '1', page_size: String(pushesShown) })

type ChangingFigure = 'uploaded' | 'downloaded' | 'bonus'

/** Whether any of the sites tells of the figure what changed; true without sites, where nothing can. */
function isTold(sites: WireOverview['today']['sites'], figure: ChangingFigure): boolean {
  return sites.length === 0 || sites.some(({ unknown }) => unknown?.includes(figure) !== true)
}

function TodayChange({ children, isKnown }: { children: string; isKnown: boolean }) {
  const text = words.value.overview
  if (!isKnown) return <>{text.todayUnknown}</>
  return (
    <>
      <b>{children}</b> {text.today}
    </>
  )
}

function Totals({ overview }: { overview: WireOverview }) {
  const { totals, today } = overview
  const text = words.value.overview
  /** On the first day of all sites there is nothing to count from. */
  const isKnown = (figure: ChangingFigure) => today.error === undefined && isTold(today.sites, figure)
  return (
    <dl class="figures">
      <Fig
        name={text.uploaded}
        beside={<TodayChange isKnown={isKnown('uploaded')}>{joined(changeAmount(today.uploaded))}</TodayChange>}
      >
        <Figure amount={bytesAmount(totals.uploaded)} />
      </Fig>
      <Fig
        name={text.downloaded}
        beside={<TodayChange isKnown={isKnown('downloaded')}>{joined(changeAmount(today.downloaded))}</TodayChange>}
      >
        <Figure amount={bytesAmount(totals.downloaded)} />
      </Fig>
      <Fig name={text.ratio} beside={text.ofSites(grouped(totals.site_count))}>
        {totals.downloaded === 0 && totals.uploaded > 0 ? '∞' : ratioText(totals.ratio)}
      </Fig>
      <Fig
        name={text.bonus}
        beside={
          <>
            <TodayChange isKnown={isKnown('bonus')}>{`+${pointsText(today.bonus)}`}</TodayChange>
            {totals.bonus_per_hour > 0 ? text.perHour(pointsText(totals.bonus_per_hour)) : null}
          </>
        }
      >
        {grouped(totals.bonus)}
      </Fig>
      <Fig
        name={text.seeding}
        beside={
          <>
            {text.onDisk(joined(bytesAmount(totals.seeding_size)), grouped(totals.leeching))}
            {totals.unread_messages > 0 ? text.andUnread(grouped(totals.unread_messages)) : null}
          </>
        }
      >
        {grouped(totals.seeding)}
      </Fig>
    </dl>
  )
}

function MatterRow({ matter, onSignIn, busy }: { matter: Matter; onSignIn: (row: SiteRow) => void; busy: boolean }) {
  const text = words.value.overview
  if (matter.kind === 'downloader') {
    const { downloader } = matter
    return (
      <li>
        <span class="bad">
          <Icon name="m-bad" />
        </span>
        <span class="grow">
          <b class="t">{text.downloaderGone(downloader.name)}</b>
          <span class="s">
            {downloader.reason === undefined ? null : (
              <>
                <ReasonWords reason={downloader.reason} />
                {sentenceGap()}
              </>
            )}
            {text.checkDownloader}
          </span>
        </span>
        <a class="btn" href={`#/downloaders/${downloader.id}`}>
          {words.value.common.edit}
        </a>
      </li>
    )
  }
  const { row } = matter
  const name = siteLabel(row.settings)
  const canSignIn = row.live?.attendance.supported === true
  const inForm = matter.kind !== 'limit' && isMendedInForm(matter.reason)
  return (
    <li>
      <span class={matter.grave ? 'bad' : 'warn'}>
        <Icon name={matter.grave ? 'm-bad' : 'm-warn'} />
      </span>
      <span class="grow">
        <b class="t">
          {matter.kind === 'limit'
            ? text.limitNear(name, daysLeftWords(matter.days))
            : matter.kind === 'job'
              ? text.siteFails(name)
              : text.signInFailed(name)}
        </b>
        <span class="s">
          {matter.kind === 'limit' ? (
            <>
              {row.live?.login.last_active_at === undefined ? null : (
                <>
                  {text.lastActive} <Moment seconds={row.live.login.last_active_at} />
                  {text.stop}
                  {sentenceGap()}
                </>
              )}
              {canSignIn ? text.signInHelps : text.visitHelps}
            </>
          ) : (
            <ReasonWords reason={matter.reason} todo />
          )}
        </span>
      </span>
      {(matter.kind === 'sign-in' || matter.kind === 'limit') && canSignIn && !inForm ? (
        <button
          class="btn"
          type="button"
          disabled={busy}
          aria-label={words.value.sites.signInTo(name)}
          onClick={() => onSignIn(row)}
        >
          {words.value.sites.signInNow}
        </button>
      ) : (
        <a
          class="btn"
          href={`#/sites/${row.settings.id}${inForm ? '/edit' : ''}`}
          aria-label={`${inForm ? text.update : text.open} ${name}`}
        >
          {inForm ? text.update : text.open}
        </a>
      )}
    </li>
  )
}

function NearestSites({ rows, total }: { rows: readonly SiteRow[]; total: number }) {
  const text = words.value.overview
  const columns = words.value.sites.columns
  return (
    <section class="sec">
      <header>
        <h2>{words.value.screens.sites}</h2>
        <span class="n">{text.someOf(grouped(rows.length), grouped(total))}</span>
        <span class="end">
          <a class="link" href={siteHash(everySite)}>
            {text.allSites}
          </a>
        </span>
      </header>
      <table class="fold sites">
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col" class="num">
              {columns.ratio}
            </th>
            <th scope="col" class="num mid">
              {columns.uploaded}
            </th>
            <th scope="col" class="num">
              {columns.today}
            </th>
            <th scope="col" class="num mid">
              {columns.seeding}
            </th>
            <th scope="col">{columns.days}</th>
            <th scope="col">{columns.signIn}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ settings, live, today }) => (
            <tr key={settings.id}>
              <td class="name">
                <a class="cut row-open" href={`#/sites/${settings.id}`}>
                  <b>{siteLabel(settings)}</b> <span class="faint small">{live?.user?.level ?? ''}</span>
                </a>
              </td>
              <td class="num ra" data-word={words.value.sites.columns.ratio}>
                <AccountFigure user={live?.user} name="ratio">
                  {({ ratio }) => ratioText(ratio)}
                </AccountFigure>
              </td>
              <td class="num wide-only mid">
                <AccountFigure user={live?.user} name="uploaded">
                  {({ uploaded }) => <Figure amount={bytesAmount(uploaded)} />}
                </AccountFigure>
              </td>
              <td class="num">
                <UploadedToday today={today} />
              </td>
              <td class="num wide-only mid">
                <AccountFigure user={live?.user} name="seeding">
                  {({ seeding }) => grouped(seeding)}
                </AccountFigure>
              </td>
              <td>
                {live === undefined ? null : <LoginGauge tier={live.login.tier} days={live.login.days_remaining} />}
              </td>
              <td class="at">{live === undefined ? null : <SignInState attendance={live.attendance} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function TodayBySite({ overview, labels }: { overview: WireOverview; labels: ReadonlyMap<string, string> }) {
  const text = words.value.overview
  const { today } = overview
  const moved = today.sites.filter((one) => one.uploaded > 0 || one.downloaded > 0)
  const sites = moved.toSorted((a, b) => b.uploaded - a.uploaded).slice(0, rowsShown)
  const most = Math.max(1, ...sites.flatMap((one) => [one.uploaded, one.downloaded]))
  return (
    <section class="sec">
      <header>
        <h2>{text.todayBySite}</h2>
        {moved.length > sites.length ? (
          <span class="n">{text.someOf(grouped(sites.length), grouped(moved.length))}</span>
        ) : null}
      </header>
      {today.error !== undefined ? (
        <Note tone="warn" role="status">
          <b>{text.todayFailed}</b> <ReasonWords reason={today.reason} />
        </Note>
      ) : sites.length === 0 ? (
        <p class="muted pad">
          {isTold(today.sites, 'uploaded') || isTold(today.sites, 'downloaded') ? text.nothingToday : text.firstDay}
        </p>
      ) : (
        <table class="hbars">
          <thead>
            <tr>
              <th scope="col">{words.value.sites.columns.name}</th>
              <th scope="col">
                <span class="vh">{text.share}</span>
              </th>
              <th scope="col" class="num">
                <span class="key">
                  <span>
                    <i class="sw" />
                    {text.up}
                  </span>
                </span>
              </th>
              <th scope="col" class="num">
                <span class="key">
                  <span>
                    <i class="sw two" />
                    {text.down}
                  </span>
                </span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sites.map((one) => (
              <tr key={one.site}>
                <td class="hb-n">
                  <span class="cut">{labels.get(one.site) ?? one.site}</span>
                </td>
                <td class="hb-b">
                  <Meter percent={(100 * one.uploaded) / most} tone="f" />
                  <Meter percent={(100 * one.downloaded) / most} tone="o" />
                </td>
                <td class="num">{one.uploaded === 0 ? '—' : <Figure amount={changeAmount(one.uploaded)} />}</td>
                <td class="num">{one.downloaded === 0 ? '—' : <Figure amount={changeAmount(one.downloaded)} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function LastPushes({ labels }: { labels: ReadonlyMap<string, string> }) {
  const text = words.value.overview
  const tasks = useResource('tasks', (signal) => fetchTasks(lastPushes, signal), downloadersEveryMs)
  const { data, failure } = tasks.state.value
  return (
    <section class="sec">
      <header>
        <h2>{text.lastPushes}</h2>
        <span class="end">
          <a class="link" href="#/tasks">
            {text.allTasks}
          </a>
        </span>
      </header>
      {failure === undefined || data !== undefined ? null : (
        <FailureNote lead={words.value.common.loadFailed} failure={failure} retry={() => void tasks.reload()} />
      )}
      {data === undefined ? (
        failure === undefined ? (
          <Skeleton rows={3} />
        ) : null
      ) : data.items.length === 0 ? (
        <p class="muted pad">
          {text.noPushes}{' '}
          <a class="link" href="#/search">
            {words.value.screens.search}
          </a>
        </p>
      ) : (
        <ul class="rows">
          {data.items.map((task) => (
            <li key={task.id} class="push-row">
              <span class="faint nowrap">
                <Moment seconds={task.created_at} />
              </span>
              <span class="grow">
                <span class="t cut" title={task.title}>
                  {task.title}
                </span>
                <span class="s cut">
                  {[labels.get(task.site) ?? task.site, task.downloader ?? '']
                    .filter((part) => part !== '')
                    .join(' · ')}
                </span>
              </span>
              <TaskState task={task} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const firstSteps = withAllWords(async () => (await import('../components/first-steps.tsx')).FirstSteps)

function FirstDay() {
  useEffect(() => void firstSteps.fetch(), [])
  const Page = firstSteps.page()
  return Page === undefined ? <Skeleton /> : <Page />
}

export function OverviewPage() {
  const text = words.value.overview
  const overview = useResource('overview', fetchOverview, figuresEveryMs)
  const settings = useResource('site-settings', fetchSiteSettings, figuresEveryMs)
  const live = useResource('sites', fetchSites, figuresEveryMs)
  const jobs = useResource('jobs', fetchJobs, figuresEveryMs)
  const fleet = useResource('downloaders', fetchDownloaders, downloadersEveryMs)
  const signingIn = useSignal(false)
  const failure = useSignal<{ readonly site: string; readonly failure: ApiFailure } | undefined>(undefined)

  const all = [overview, settings, live, jobs]
  const reload = () => void Promise.all(all.map((one) => one.reload()))
  const failed = all.map((one) => one.state.value).find((one) => one.failure !== undefined)
  const figures = overview.state.value
  const configured = settings.state.value.data?.items
  const rows = siteRows(
    configured ?? [],
    live.state.value.data?.items ?? [],
    jobs.state.value.data?.items ?? [],
    figures.data?.today.sites ?? [],
  )
  const enabled = rows.filter((row) => row.settings.enabled)
  const labels = new Map(rows.map((row) => [row.settings.name, siteLabel(row.settings)]))
  const downloaders = fleet.state.value.data?.items ?? []
  const matters = attention(rows, downloaders)
  const userError = live.state.value.data?.reason

  async function signIn(row: SiteRow): Promise<void> {
    signingIn.value = true
    failure.value = undefined
    const answer = await attendSite(row.settings.name)
    signingIn.value = false
    if (!answer.ok) failure.value = { site: siteLabel(row.settings), failure: answer.failure }
    await Promise.all([live.reload(), jobs.reload()])
  }

  return (
    <Shell
      screen="overview"
      title={words.value.screens.overview}
      facts={
        figures.data === undefined || figures.data.updated_at === 0 ? undefined : (
          <span class="faint small cut">
            {text.asOf(momentText(figures.data.updated_at, Date.now() / 1000, language.value))}
          </span>
        )
      }
      tools={
        <button class="btn" type="button" aria-busy={figures.busy ? 'true' : undefined} onClick={reload}>
          <Icon name="refresh" />
          {text.refresh}
        </button>
      }
    >
      <UpdateNote />
      {failed?.failure === undefined ? null : (
        <FailureNote
          lead={
            failed.data === undefined
              ? words.value.common.loadFailed
              : words.value.common.stale(momentText(failed.at, Date.now() / 1000, language.value))
          }
          role={failed.data === undefined ? 'alert' : 'status'}
          failure={failed.failure}
          retry={reload}
        />
      )}
      {failure.value === undefined ? null : (
        <Note tone="bad" role="alert">
          <b>
            {text.signInFailed(failure.value.site)}
            {words.value.common.sentenceEnd}
          </b>{' '}
          <ReasonWords reason={failure.value.failure.reason} todo />
        </Note>
      )}
      {userError === undefined ? null : (
        <Note tone="warn" incomplete role="status">
          <b>{words.value.sites.figuresUnread}</b> <ReasonWords reason={userError} />
        </Note>
      )}
      {configured === undefined || figures.data === undefined ? (
        failed === undefined ? (
          <Skeleton />
        ) : null
      ) : configured.length === 0 ? (
        <FirstDay />
      ) : (
        <>
          <Totals overview={figures.data} />
          <div class="cols dash">
            <div class="stack">
              <NearestSites rows={arrangeSites(enabled, everySite).slice(0, rowsShown)} total={enabled.length} />
              <GrowthChart />
              <LastPushes labels={labels} />
            </div>
            <div class="stack">
              <section class="sec">
                <header>
                  <h2>{text.needsYou}</h2>
                  {matters.length === 0 ? null : <span class="n">{grouped(matters.length)}</span>}
                </header>
                {matters.length === 0 ? (
                  <p class="muted pad">{text.nothingWaits}</p>
                ) : (
                  <ul class="rows needs">
                    {matters.map((matter) => (
                      <MatterRow
                        key={`${matter.kind} ${matter.kind === 'downloader' ? matter.downloader.id : matter.row.settings.id}`}
                        matter={matter}
                        busy={signingIn.value}
                        onSignIn={(row) => void signIn(row)}
                      />
                    ))}
                  </ul>
                )}
              </section>
              <TodayBySite overview={figures.data} labels={labels} />
            </div>
          </div>
        </>
      )}
    </Shell>
  )
}
