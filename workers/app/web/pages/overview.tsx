/** How everything stands: totals, what waits for its owner, the sites nearest to their limit, growth by day, last pushes. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { ApiFailure } from '../api/call.ts'
import { fetchDownloaders } from '../api/downloaders.ts'
import { fetchJobs } from '../api/service.ts'
import { attendSite, fetchOverview, fetchSiteSettings, fetchSites } from '../api/sites.ts'
import { GrowthChart } from '../components/growth-chart.tsx'
import { LastPushes } from '../components/last-pushes.tsx'
import { withAllWords } from '../components/later.tsx'
import { Skeleton } from '../components/list-states.tsx'
import { NearestSites } from '../components/nearest-sites.tsx'
import { NeedsOwner } from '../components/needs-owner.tsx'
import { FailureNote } from '../components/note.tsx'
import { OverviewTotals } from '../components/overview-totals.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { Shell } from '../components/shell.tsx'
import { TodayBySite } from '../components/today-by-site.tsx'
import { UpdateNote } from '../components/update-note.tsx'
import { words } from '../locales/words.ts'
import { attention } from '../model/attention.ts'
import { momentText } from '../model/moments.ts'
import { arrangeSites, everySite, type SiteRow, siteLabel, siteRows } from '../model/site-board.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'

const figuresEveryMs = 60_000
const downloadersEveryMs = 10_000
const rowsShown = 7

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
          <OverviewTotals overview={figures.data} />
          <div class="cols dash">
            <div class="stack">
              <NearestSites rows={arrangeSites(enabled, everySite).slice(0, rowsShown)} total={enabled.length} />
              <GrowthChart />
              <LastPushes labels={labels} />
            </div>
            <div class="stack">
              <NeedsOwner matters={matters} busy={signingIn.value} onSignIn={(row) => void signIn(row)} />
              <TodayBySite overview={figures.data} labels={labels} />
            </div>
          </div>
        </>
      )}
    </Shell>
  )
}
