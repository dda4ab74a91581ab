/** One site: its figures, how its account stands, what the service does for it, and everything that can be done with it. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { succeed } from '#shared/kernel/result.ts'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import { setting } from '#shared/pages/set.ts'
import type { WireJob } from '../../contract/console-jobs.ts'
import type { FigureWordBody } from '../../contract/console-sites.ts'
import { runJob } from '../api/service.ts'
import { attendSite, changeSite, fetchSiteFigures, removeSite, saySiteFigure } from '../api/sites.ts'
import { useKeys } from '../keys.ts'
import { words } from '../locales/words.ts'
import { knownFigure } from '../model/account-figures.ts'
import { grouped } from '../model/amounts.ts'
import { isMendedInForm } from '../model/reasons.ts'
import { lastFailure, type SiteRow, siteLabel } from '../model/site-board.ts'
import { changedSite } from '../model/site-form.ts'
import { useResource } from '../resource.ts'
import { goTo } from '../router.ts'
import { useActions } from '../use-actions.ts'
import { Confirm } from './confirm.tsx'
import { JobOutcome, JobTimes } from './job-parts.tsx'
import { type LaterPage, withAllWords } from './later.tsx'
import { Letter } from './letter.tsx'
import { Skeleton } from './list-states.tsx'
import { FailureNote } from './note.tsx'
import { OfFile } from './of-file.tsx'
import { ReasonWords } from './reason.tsx'
import { Account, Figures } from './site-account.tsx'
import { SiteFixture } from './site-fixture.tsx'
import { LoginGauge, SignInState } from './site-parts.tsx'

function Settings({ row }: { row: SiteRow }) {
  const { settings } = row
  const { site: own, siteForm: form } = words.value
  return (
    <section class="sec">
      <header>
        <h2>{own.settings}</h2>
        <span class="end">
          {settings.from_file ? (
            <OfFile />
          ) : (
            <a class="link" href={`#/sites/${settings.id}/edit`}>
              {words.value.common.edit}
            </a>
          )}
        </span>
      </header>
      <dl class="kv pad">
        <dt>{form.name}</dt>
        <dd class="mono">{settings.name}</dd>
        <dt>{own.kind}</dt>
        <dd>{form.kinds[settings.kind]}</dd>
        <dt>{form.address}</dt>
        <dd class="mono small">{settings.address}</dd>
        <dt>{form.inactivityDays}</dt>
        <dd>{own.dayCount(settings.inactivity_days)}</dd>
        <dt>{form.capacity}</dt>
        <dd>{settings.capacity_gib === 0 ? own.noLimit : `${grouped(settings.capacity_gib)}\u00a0GiB`}</dd>
      </dl>
    </section>
  )
}

function Jobs({ row, isBusy, run }: { row: SiteRow; isBusy: boolean; run: (job: WireJob['job']) => void }) {
  const { site: own, jobs: text } = words.value
  return (
    <section class="sec">
      <header>
        <h2>{words.value.screens.jobs}</h2>
        <span class="end">
          <a class="link" href="#/jobs">
            {own.allJobs}
          </a>
        </span>
      </header>
      {row.jobs.length === 0 ? (
        <p class="muted pad">{own.noJobs}</p>
      ) : (
        <ul class="rows site-jobs">
          {row.jobs.map((job) => (
            <li key={job.job}>
              <span class="grow">
                <b class="t">{text.nameOf(job.label)}</b>
                <span class="s">
                  <JobTimes job={job} />
                </span>
                <span class="s">
                  <JobOutcome job={job} />
                </span>
              </span>
              <button
                class="btn quiet"
                type="button"
                disabled={job.running || isBusy}
                aria-label={text.runOne(text.nameOf(job.label), siteLabel(row.settings))}
                onClick={() => run(job.job)}
              >
                <Icon name="play" />
                {text.run}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Charts and tables come once a site is opened. */
const watch = withAllWords(async () => (await import('./site-watch.tsx')).SiteWatch)
const identity = withAllWords(async () => (await import('./site-identity.tsx')).SiteIdentity)

function Later<P extends object>({ of, props }: { of: LaterPage<P>; props: P }) {
  useEffect(() => void of.fetch(), [of])
  const Page = of.page()
  return Page === undefined ? <Skeleton rows={3} /> : <Page {...props} />
}

/** How it stands, in one line. */
function Head({ row }: { row: SiteRow }) {
  const { settings, live } = row
  const user = live?.user
  return (
    <div class="th-m">
      {live === undefined || !settings.enabled ? null : <SignInState attendance={live.attendance} />}
      <span class="faint">
        {words.value.siteForm.kinds[settings.kind]}
        {user === undefined || knownFigure(user, 'seeding') === undefined
          ? null
          : ` · ${words.value.site.seedingCount(grouped(user.seeding))}`}
      </span>
      {live === undefined || !settings.enabled || !settings.statistics ? null : (
        <LoginGauge tier={live.login.tier} days={live.login.days_remaining} />
      )}
    </div>
  )
}

export function SiteDetails({
  row,
  reload,
  todayKnown,
}: {
  row: SiteRow
  reload: () => Promise<void>
  todayKnown: boolean
}) {
  const { settings, live } = row
  const { sites: text, site: own } = words.value
  const name = siteLabel(settings)
  const { act, busy, isBusy, failure } = useActions({ reload })
  const removing = useSignal(false)
  const lastFailed = lastFailure(row)

  const run = (job: WireJob['job']) => void act(() => runJob(job, settings.name))
  const figures = useResource(`figures ${settings.name} ${live?.user?.updated_at ?? 0}`, (signal) =>
    settings.statistics ? fetchSiteFigures(settings.name, signal) : Promise.resolve(succeed({ items: [] })),
  )
  const say = (word: FigureWordBody) =>
    void act(() => saySiteFigure(settings.id, word), 'say').then(() => figures.reload())
  const canSignIn = live?.attendance.supported === true && settings.enabled
  const canRead = settings.statistics && settings.enabled
  const signIn = () => void act(() => attendSite(settings.name), 'sign-in')
  const edit = `#/sites/${settings.id}/edit`
  useKeys({
    r: canRead && !isBusy ? () => run('statistics') : undefined,
    s: canSignIn && !isBusy ? signIn : undefined,
    o: () => window.open(settings.address, '_blank', 'noreferrer'),
    e: settings.from_file ? undefined : () => goTo(edit),
  })
  const switchOver = () =>
    void act(() => changeSite(settings.id, changedSite(settings, { enabled: !settings.enabled })))
  const rare = settings.from_file ? null : (
    <>
      <button class="btn" type="button" disabled={isBusy} onClick={switchOver}>
        <Icon name={settings.enabled ? 'pause' : 'play'} />
        {settings.enabled ? words.value.common.turnOff : words.value.common.turnOn}
      </button>
      <button class="btn danger" type="button" onClick={setting(removing, true)}>
        <Icon name="trash" />
        {text.remove}…
      </button>
    </>
  )
  const aside = (
    <>
      <Later of={identity} props={{ settings, live, reload }} />
      <Account row={row} />
      <Settings row={row} />
      <Jobs row={row} isBusy={isBusy} run={run} />
      {settings.kind === 'nexusphp' ? <SiteFixture key={settings.id} settings={settings} /> : null}
    </>
  )

  return (
    <>
      {failure.value?.code === 'attend_failed' ? (
        <Note tone="bad" role="alert">
          <b>
            {words.value.overview.signInFailed(name)}
            {words.value.common.sentenceEnd}
          </b>{' '}
          <ReasonWords reason={failure.value.reason} todo />
        </Note>
      ) : (
        <FailureNote failure={failure.value} />
      )}
      {lastFailed === undefined ? null : (
        <Note
          tone="bad"
          role="status"
          action={
            isMendedInForm(lastFailed.reason) && settings.from_file === undefined ? (
              <a class="link" href={`#/sites/${settings.id}/edit`}>
                {words.value.overview.update}
              </a>
            ) : undefined
          }
        >
          <b>
            {words.value.overview.siteFails(name)}
            {words.value.common.sentenceEnd}
          </b>{' '}
          <ReasonWords reason={lastFailed.reason} todo />
        </Note>
      )}
      {settings.enabled ? null : <Note>{own.isOff}</Note>}
      <Head row={row} />
      <div class="btns acts" role="toolbar" aria-label={own.actions}>
        {canRead ? (
          <button class="btn" type="button" disabled={isBusy} onClick={() => run('statistics')}>
            <Icon name="refresh" />
            {own.readFigures}
            <Letter of="R" />
          </button>
        ) : null}
        {canSignIn ? (
          <button class="btn" type="button" disabled={isBusy} onClick={signIn}>
            <Icon name="check" />
            {busy === 'sign-in' ? text.signingIn : text.signInNow}
            <Letter of="S" />
          </button>
        ) : null}
        <a class="btn" href={settings.address} target="_blank" rel="noreferrer">
          <Icon name="right" />
          {own.open}
          <Letter of="O" />
        </a>
        {settings.from_file ? null : (
          <a class="btn" href={edit}>
            <Icon name="settings" />
            {words.value.common.edit}
            <Letter of="E" />
          </a>
        )}
        <span class="btns wide-only">{rare}</span>
      </div>
      <Figures row={row} todayKnown={todayKnown} read={figures.state.value.data} say={say} />
      {settings.statistics ? (
        <div class="cols dash watched">
          <div class="stack">
            <Later
              of={watch}
              props={{ site: settings.name, id: settings.id, readAt: live?.user?.updated_at ?? 0, figures, say }}
            />
          </div>
          <div class="stack">{aside}</div>
        </div>
      ) : (
        <div class="stack">{aside}</div>
      )}
      {rare === null ? null : <div class="btns phone-only">{rare}</div>}
      {removing.value ? (
        <Confirm
          title={own.confirmRemove(name)}
          body={own.confirmRemoveBody}
          action={own.doRemove}
          busy={busy === 'remove'}
          onCancel={setting(removing, false)}
          onConfirm={() =>
            void act(() => removeSite(settings.id), 'remove').then((done) => {
              removing.value = false
              if (done?.ok) goTo('#/sites')
            })
          }
        />
      ) : null}
    </>
  )
}
