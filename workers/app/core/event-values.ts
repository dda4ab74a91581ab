import { localDay, localMinute } from './local-day.ts'
import type { Reason } from './reason/reason.ts'
import type { Say } from './reason/say.ts'
import { isReason } from './reason/stored-reason.ts'
import { cutTo, redact } from './redact.ts'
import type { ScalarValue, TemplateEvent, TemplateValues } from './template-event.ts'

type Fact = ScalarValue | Reason

/** What is noted when something happens: reasons stay facts until a message is made of them. */
export type EventFacts = Readonly<Record<string, Fact | readonly Readonly<Record<string, Fact>>[]>>

interface Bounds {
  readonly textCharactersMax: number
  readonly itemsMax: number
}

/** What an event's template may write, made of what was noted when it happened. Nothing of it reads as a credential. */
export function eventValues(
  event: TemplateEvent,
  facts: EventFacts,
  happened: { readonly atUnix: number; readonly timeZone: string },
  bounds: Bounds,
  say: Say,
): TemplateValues {
  const text = (value: string) => cutTo(redact(value), bounds.textCharactersMax)
  const scalar = (value: Fact) => (isReason(value) ? text(say(value)) : typeof value === 'string' ? text(value) : value)
  const known = Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [
      key,
      isList(value)
        ? value
            .slice(0, bounds.itemsMax)
            .map((item) =>
              Object.fromEntries(Object.entries(withTexts(event, key, item)).map(([name, one]) => [name, scalar(one)])),
            )
        : scalar(value),
    ]),
  )
  const readable = event.vars.flatMap(({ key }) => {
    const amount = key.endsWith('_text') ? facts[key.slice(0, -'_text'.length)] : undefined
    return typeof amount === 'number' ? [[key, readableBytes(amount)] as const] : []
  })
  return {
    service: 'Wharf',
    event: event.name,
    date: localDay(happened.atUnix, happened.timeZone),
    time: localMinute(happened.atUnix, happened.timeZone),
    ...Object.fromEntries(readable),
    ...known,
  }
}

/** Amounts in a list, as a person reads them, where the list's items have such a variable. */
function withTexts(event: TemplateEvent, key: string, item: Readonly<Record<string, Fact>>): Record<string, Fact> {
  const list = event.vars.find((one) => one.key === key)
  const texts = (list !== undefined && 'item' in list ? list.item : []).flatMap((one) => {
    const amount = one.key.endsWith('_text') ? item[one.key.slice(0, -'_text'.length)] : undefined
    return typeof amount === 'number' ? [[one.key, amount === 0 ? '—' : readableBytes(amount)] as const] : []
  })
  return { ...item, ...Object.fromEntries(texts) }
}

function isList(value: EventFacts[string]): value is readonly Readonly<Record<string, Fact>>[] {
  return Array.isArray(value)
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

export function readableBytes(bytes: number): string {
  let amount = bytes
  let unit = 0
  while (Math.abs(amount) >= 1024 && unit < units.length - 1) {
    amount /= 1024
    unit += 1
  }
  return `${unit === 0 ? amount : amount.toFixed(2)} ${units[unit]}`
}
