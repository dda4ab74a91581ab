/** What all sites hold together, and what it became today. */
import type { WireOverview } from '../../contract/overview.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, changeAmount, grouped, joined, pointsText, ratioText } from '../model/amounts.ts'
import { type ChangingFigure, isTold } from '../model/today.ts'
import { Fig, Figure } from './figure.tsx'

function TodayChange({ children, isKnown }: { children: string; isKnown: boolean }) {
  const text = words.value.overview
  if (!isKnown) return <>{text.todayUnknown}</>
  return (
    <>
      <b>{children}</b> {text.today}
    </>
  )
}

export function OverviewTotals({ overview }: { overview: WireOverview }) {
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
