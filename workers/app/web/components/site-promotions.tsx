/** What of one site downloads because it is free: whether it will be complete in time, what it would cost, what is done. */
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import type { WirePromotion, WirePromotions } from '../../contract/console-sites.ts'
import { fetchFreeEndSettings } from '../api/service.ts'
import { fetchPromotions } from '../api/sites.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined, spanParts } from '../model/amounts.ts'
import { useResource } from '../resource.ts'
import { Moment } from './figure.tsx'
import { FreeEndForm } from './free-end-form.tsx'
import { Loaded } from './loaded.tsx'

const marks: Readonly<Record<WirePromotion['outlook'], readonly [IconName, string]>> = {
  in_time: ['m-on', 'good'],
  too_slow: ['m-warn', 'warn'],
  over: ['m-bad', 'bad'],
  untold: ['m-guess', 'warn'],
  endless: ['m-guess', 'faint'],
  held: ['m-off', 'faint'],
  unknown: ['m-guess', 'faint'],
}

const everyMs = 15_000

function spanText(seconds: number): string {
  const { days, hours, minutes } = spanParts(seconds)
  return words.value.siteWatch.span(days, hours, minutes)
}

function standingText(one: WirePromotion): string {
  const text = words.value.siteWatch.promotions
  const left = spanText((one.ends_at ?? 0) - Date.now() / 1000)
  const said = {
    in_time: () => text.inTime(spanText(one.needs ?? 0)),
    too_slow: () => (one.needs === undefined ? text.stalled(left) : text.tooSlow(spanText(one.needs), left)),
    over: () => text.over,
    untold: () => text.untold,
    endless: () => text.endless,
    held: () => text.held,
    unknown: () => text.unknown(one.downloader),
  }[one.outlook]()
  return one.billed === undefined || one.billed === 0
    ? said
    : `${said}: ${text.billed(joined(bytesAmount(one.billed)))}`
}

/** What was done, or will be. */
function Action({ one, action }: { one: WirePromotion; action: WirePromotions['action'] }) {
  const text = words.value.siteWatch.promotions
  if (one.ending !== undefined && one.acts_at === undefined)
    return <span class="tag warn">{words.value.tasks.freeEndings[one.ending]}</span>
  if (action === 'off') return one.billed === undefined ? null : <span class="tag guess">{text.nothing}</span>
  if (one.acts_at === undefined) return null
  if (one.acts_at <= Date.now() / 1000) return <span class="tag warn">{text.soon[action]}</span>
  return (
    <span class="tag warn">
      {action === 'pause' ? text.pauseAt : text.warnAt} <Moment seconds={one.acts_at} />
    </span>
  )
}

/** One setting for all sites, where its effect is seen. */
function Setting({ onSaved }: { onSaved: () => void }) {
  const text = words.value.services
  const stored = useResource('free-end-settings', fetchFreeEndSettings)
  const { data } = stored.state.value
  return (
    <details class="more-f">
      <summary>
        {text.freeEndAction}
        {data === undefined ? null : <>: {text.freeEndActions[data.action]}</>}
      </summary>
      <Loaded of={stored} skeletonRows={2}>
        {(initial) => (
          <FreeEndForm
            initial={initial}
            onSaved={() => {
              void stored.reload()
              onSaved()
            }}
          />
        )}
      </Loaded>
    </details>
  )
}

export function SitePromotions({ id }: { readonly id: number }) {
  const text = words.value.siteWatch.promotions
  const promotions = useResource(`promotions ${id}`, (signal) => fetchPromotions(id, signal), everyMs)
  const count = promotions.state.value.data?.items.length ?? 0
  return (
    <section class="sec">
      <header>
        <h2>{text.title}</h2>
        {count === 0 ? null : <span class="n">{grouped(count)}</span>}
      </header>
      <Loaded of={promotions} skeletonRows={2}>
        {({ items, action, silent }) => (
          <>
            {silent.length === 0 ? null : <p class="pad warn small">{text.silent(silent.join(', '))}</p>}
            {items.length === 0 ? (
              <p class="muted pad">{text.none}</p>
            ) : (
              <ul class="rows promo">
                {items.map((one) => {
                  const [mark, tone] = marks[one.outlook]
                  return (
                    <li key={one.torrent_id}>
                      <span class={tone}>
                        <Icon name={mark} />
                      </span>
                      <span class="grow">
                        <span class="t">
                          <bdi>{one.title}</bdi>, {words.value.search.discounts[one.discount]}
                          {one.ends_at === undefined ? (
                            `, ${words.value.search.endUnknown}`
                          ) : (
                            <>
                              {' '}
                              {text.ends} <Moment seconds={one.ends_at} />
                            </>
                          )}
                        </span>
                        <span class="s">
                          {one.downloader} · {standingText(one)}
                        </span>
                      </span>
                      <Action one={one} action={action} />
                    </li>
                  )
                })}
              </ul>
            )}
            <Setting onSaved={() => void promotions.reload()} />
          </>
        )}
      </Loaded>
    </section>
  )
}
