import { localDay, localMinute } from './local-day.ts'
import { cutTo, redact } from './redact.ts'
import type { ScalarValue, TemplateEvent, TemplateValues } from './template-event.ts'

interface Bounds {
  readonly textCharactersMax: number
  readonly itemsMax: number
}

/** What an event's template may write, made of what was noted when it happened. Nothing of it reads as a credential. */
export function noticeValues(
  event: TemplateEvent,
  facts: TemplateValues,
  happened: { readonly atUnix: number; readonly timeZone: string },
  bounds: Bounds,
): TemplateValues {
  const scalar = (value: ScalarValue) =>
    typeof value === 'string' ? cutTo(redact(value), bounds.textCharactersMax) : value
  const known = Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [
      key,
      typeof value === 'object'
        ? value
            .slice(0, bounds.itemsMax)
            .map((item) => Object.fromEntries(Object.entries(item).map(([name, one]) => [name, scalar(one)])))
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

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

function readableBytes(bytes: number): string {
  let amount = bytes
  let unit = 0
  while (Math.abs(amount) >= 1024 && unit < units.length - 1) {
    amount /= 1024
    unit += 1
  }
  return `${unit === 0 ? amount : amount.toFixed(2)} ${units[unit]}`
}
