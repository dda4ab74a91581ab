import { Note } from '#shared/pages/note.tsx'
import type { WireOverview } from '../../contract/overview.ts'
import { words } from '../locales/words.ts'
import { changeAmount, grouped } from '../model/amounts.ts'
import { isTold } from '../model/today.ts'
import { Figure, Meter } from './figure.tsx'
import { ReasonWords } from './reason.tsx'

const sitesShown = 7

/** What was moved at each site today, the most first. */
export function TodayBySite({ overview, labels }: { overview: WireOverview; labels: ReadonlyMap<string, string> }) {
  const text = words.value.overview
  const { today } = overview
  const moved = today.sites.filter((one) => one.uploaded > 0 || one.downloaded > 0)
  const sites = moved.toSorted((a, b) => b.uploaded - a.uploaded).slice(0, sitesShown)
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
