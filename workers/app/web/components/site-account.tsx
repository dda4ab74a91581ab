/** How an account stands at one site: its figures with where each was read, its messages, its login. */
import type { WireConsoleSite } from '../../contract/console-sites.ts'
import type { WireReadFigure } from '../../contract/site-watch.ts'
import type { ReadFigures } from '../api/sites.ts'
import { words } from '../locales/words.ts'
import { changeOf, knownFigure } from '../model/account-figures.ts'
import { bytesAmount, changeAmount, grouped, joined, pointsText, ratioText } from '../model/amounts.ts'
import type { SiteRow } from '../model/site-board.ts'
import { AccountFigure } from './account-figure.tsx'
import { Fig, Figure, Moment } from './figure.tsx'
import { ReasonWords } from './reason.tsx'
import { Section } from './section.tsx'
import { SiteMessages } from './site-messages.tsx'
import { LoginGauge, SignInState } from './site-parts.tsx'
import { OwnersWord, type SayFigure } from './tried-figures.tsx'

/** Page and row of a figure, why it is not to be believed, or that the site does not tell it. */
function Provenance({ of: figure, say }: { of: WireReadFigure; say: SayFigure }) {
  const { site: own, sites: text } = words.value
  if (figure.value === undefined) return <>{text.notTold}</>
  const { page, row, label, doubt } = figure
  return (
    <>
      {doubt === undefined ? null : <span class="warn">{text.doubts[doubt]}; </span>}
      {page === undefined ? null : row === 'info_block' ? own.fromBlock(page) : own.provenance(label ?? row, page)}
      <OwnersWord of={figure} say={say} />
    </>
  )
}

export function Figures({
  row,
  todayKnown,
  read,
  say,
}: {
  row: SiteRow
  todayKnown: boolean
  read: ReadFigures | undefined
  say: SayFigure
}) {
  const user = row.live?.user
  const own = words.value.site
  const overview = words.value.overview
  if (user === undefined) return <p class="muted">{row.settings.statistics ? own.noFigures : own.neverFigures}</p>
  const change = (told: string | undefined) =>
    !todayKnown ? overview.todayUnknown : told === undefined ? '\u00a0' : `${told} ${overview.today}`
  const { today } = row
  const moved = (name: 'uploaded' | 'downloaded') => {
    const bytes = changeOf(today, name)
    return change(bytes === undefined ? undefined : joined(changeAmount(bytes)))
  }
  const points = changeOf(today, 'bonus')
  const rate = knownFigure(user, 'bonus_per_hour') === undefined ? undefined : pointsText(user.bonus_per_hour ?? 0)
  const isRateAlone = rate !== undefined && todayKnown && points === undefined
  const placeOf = (name: WireReadFigure['figure']) => {
    const found = read?.items.find(({ figure }) => figure === name)
    return found === undefined ? undefined : <Provenance of={found} say={say} />
  }
  return (
    <dl class="figures prov">
      <Fig name={overview.uploaded} beside={moved('uploaded')} from={placeOf('uploaded')}>
        <AccountFigure user={user} name="uploaded">
          {({ uploaded }) => <Figure amount={bytesAmount(uploaded)} />}
        </AccountFigure>
      </Fig>
      <Fig name={overview.downloaded} beside={moved('downloaded')} from={placeOf('downloaded')}>
        <AccountFigure user={user} name="downloaded">
          {({ downloaded }) => <Figure amount={bytesAmount(downloaded)} />}
        </AccountFigure>
      </Fig>
      <Fig name={overview.ratio} beside={user.level ?? '\u00a0'} from={placeOf('ratio')}>
        <AccountFigure user={user} name="ratio">
          {({ ratio }) => ratioText(ratio)}
        </AccountFigure>
      </Fig>
      <Fig
        name={overview.bonus}
        from={placeOf('bonus')}
        beside={
          <>
            {isRateAlone ? null : change(points === undefined ? undefined : `+${pointsText(points)}`)}
            {rate === undefined ? null : overview.perHour(rate, isRateAlone)}
          </>
        }
      >
        <AccountFigure user={user} name="bonus">
          {({ bonus }) => grouped(bonus)}
        </AccountFigure>
      </Fig>
      <Fig
        name={overview.seeding}
        from={placeOf('seeding')}
        beside={
          knownFigure(user, 'leeching') === undefined
            ? '\u00a0'
            : knownFigure(user, 'seeding_size') === undefined
              ? overview.leeching(grouped(user.leeching))
              : overview.onDisk(joined(bytesAmount(user.seeding_size ?? 0)), grouped(user.leeching))
        }
      >
        <AccountFigure user={user} name="seeding">
          {({ seeding }) => grouped(seeding)}
        </AccountFigure>
      </Fig>
    </dl>
  )
}

/** Kinds whose messages can be listed. */
const showsMessages: ReadonlySet<WireConsoleSite['kind']> = new Set(['nexusphp', 'gazelle'])

export function Account({ row }: { row: SiteRow }) {
  const { settings, live } = row
  const { sites: text, site: own } = words.value
  const user = live?.user
  const status = live?.login.last_probe_status
  return (
    <Section title={own.account}>
      <dl class="kv pad">
        {user === undefined ? null : (
          <>
            <dt>{own.username}</dt>
            <dd>{user.username}</dd>
            <dt>{own.messages}</dt>
            <dd>
              <AccountFigure user={user} name="unread_messages">
                {({ unread_messages }) => grouped(unread_messages)}
              </AccountFigure>
              {settings.enabled && showsMessages.has(settings.kind) && user.unread_messages > 0 ? (
                <SiteMessages id={settings.id} />
              ) : null}
            </dd>
            {user.hnr_unsatisfied === undefined ? null : (
              <>
                <dt>{own.hnrOpen}</dt>
                <dd>
                  <AccountFigure user={user} name="hnr_unsatisfied">
                    {({ hnr_unsatisfied }) => grouped(hnr_unsatisfied ?? 0)}
                  </AccountFigure>
                </dd>
              </>
            )}
            <dt>{own.figuresOf}</dt>
            <dd>
              <Moment seconds={user.updated_at} />
            </dd>
          </>
        )}
        {live === undefined ? null : (
          <>
            <dt>{text.columns.days}</dt>
            <dd>
              <LoginGauge tier={live.login.tier} days={live.login.days_remaining} />
            </dd>
            <dt>{text.lastActive}</dt>
            <dd>
              <Moment seconds={live.login.last_active_at} none={text.noRecord} />
            </dd>
            <dt>{own.lastProbe}</dt>
            <dd>
              <Moment seconds={live.login.last_probe_at} none={words.value.common.never} />
              {status === undefined || status === 'ok' ? null : (
                <span class="bad">
                  {', '}
                  {own.probeFailed}
                </span>
              )}
            </dd>
            <dt>{text.columns.signIn}</dt>
            <dd>
              <SignInState attendance={live.attendance} />
              {live.attendance.supported && settings.auto_sign_in ? (
                <span class="faint small"> {own.automatic}</span>
              ) : null}
              {live.attendance.reason === undefined ? null : (
                <span class="sub small muted">
                  <ReasonWords reason={live.attendance.reason} todo />
                </span>
              )}
            </dd>
          </>
        )}
      </dl>
    </Section>
  )
}
