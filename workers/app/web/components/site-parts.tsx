/** What several screens show of a site. */

import { useSignal } from '@preact/signals'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import { setting } from '#shared/pages/set.ts'
import type { WireAttendance } from '../../contract/sites.ts'
import { faviconOf } from '../api/sites.ts'
import { words } from '../locales/words.ts'
import { type LoginTier, urgencyOf } from '../model/site-board.ts'
import { StateMark } from './state-mark.tsx'

/** The site's own icon; where it has none, the sign for sites. */
export function SiteIcon({ name }: { name: string }) {
  const missing = useSignal(false)
  if (missing.value) return <Icon name="site" />
  return (
    <img
      class="site-icon"
      src={faviconOf(name)}
      alt=""
      width={16}
      height={16}
      loading="lazy"
      onError={setting(missing, true)}
    />
  )
}

const gaugeDays = 30
const gaugeWidth = 90

/** Time left until the inactivity limit, with draught marks at 0, 7, 14 and 30 days. */
export function LoginGauge({ tier, days }: { tier: LoginTier; days: number }) {
  const urgency = urgencyOf(tier)
  const text = words.value.sites
  const tone = urgency === 'now' ? 'bad' : urgency === 'soon' ? 'warn' : 'muted'
  const share = Math.min(1, Math.max(0, days) / gaugeDays)
  return (
    <span class="login">
      <svg
        class={`gauge ${urgency === 'now' ? 'b' : urgency === 'soon' ? 'w' : ''}`}
        viewBox="0 0 92 14"
        aria-hidden="true"
      >
        {urgency === 'unknown' ? (
          <path class="q" d="M1 7h90" />
        ) : (
          <>
            <path class="ax" d="M1 2v10M22 4v6M43 4v6M91 2v10" />
            <path class="f" d={`M1 7H${(1 + Math.max(0.03, share) * gaugeWidth).toFixed(1)}`} />
          </>
        )}
      </svg>
      <span class={`${tone} small`}>{urgency === 'unknown' ? text.noRecord : daysLeftWords(days)}</span>
    </span>
  )
}

export function daysLeftWords(days: number): string {
  const text = words.value.sites
  if (days < 0) return text.overBy(-days)
  return days > gaugeDays ? text.moreThan(gaugeDays) : text.daysLeft(days)
}

const signInMarks: Readonly<Record<NonNullable<WireAttendance['status']>, readonly [IconName, string]>> = {
  signed: ['m-done', 'good'],
  already: ['m-done', 'good'],
  pending: ['m-off', 'faint'],
  failed: ['m-bad', 'bad'],
  unsupported: ['m-guess', 'faint'],
}

export function SignInState({ attendance }: { attendance: WireAttendance }) {
  const text = words.value.sites
  const status = attendance.status ?? 'pending'
  if (!attendance.supported || status === 'unsupported')
    return <span class="faint nowrap st-pad">{text.notOffered}</span>
  const [mark, tone] = signInMarks[status]
  return (
    <StateMark mark={mark} tone={tone}>
      {status === 'pending' && !attendance.enabled ? text.byHand : text.signIns[status]}
    </StateMark>
  )
}
