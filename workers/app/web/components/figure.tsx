/** Numbers with their quieter unit, and times with their exact form behind them. */
import type { ComponentChildren } from 'preact'
import type { Amount } from '../model/amounts.ts'
import { exactMoment, momentText } from '../model/moments.ts'
import { language } from '../preferences.ts'

export function Figure({ amount }: { amount: Amount }) {
  return (
    <span class="nowrap">
      {amount.value}
      <span class="unit">{`\u00a0${amount.unit}`}</span>
    </span>
  )
}

export function Moment({ seconds, none = '—' }: { seconds: number | undefined; none?: string }) {
  if (seconds === undefined || seconds <= 0) return <span class="faint">{none}</span>
  const exact = exactMoment(seconds, language.value)
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={exact}>
      {momentText(seconds, Date.now() / 1000, language.value)}
    </time>
  )
}

export function Meter({ percent, tone }: { percent: number; tone: 'f' | 'w' | 'o' | 'b' | 'g' }) {
  return (
    <svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="tr" width="100" height="4" />
      <rect class={tone} width={Math.min(100, Math.max(0, percent)).toFixed(1)} height="4" />
    </svg>
  )
}

/** One of the figures at the head of a screen: what it is, how much, and a word beside it. */
export function Fig({
  name,
  beside,
  from,
  children,
}: {
  name: string
  beside: ComponentChildren
  /** Where it was read. */
  from?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <div class="fig">
      <dt>{name}</dt>
      <dd class="v">{children}</dd>
      <dd class="d">{beside}</dd>
      {from === undefined ? null : <dd class="from">{from}</dd>}
    </div>
  )
}
