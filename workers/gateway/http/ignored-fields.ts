import type { JsonRecord } from '../core/json-record.ts'
import type { Ignored } from '../core/to-provider/generation.ts'
import { ignoredFieldsMax } from '../limits.ts'
import type { ExchangeContext } from './exchange.ts'

/** Values that ask for nothing. */
function asksForNothing(value: unknown): boolean {
  return value === null || value === undefined || value === false || value === 0 || value === ''
}

/** What a field is called in a header: names that do not fit there are left out. */
const fieldName = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * Notes for the answer's header what of the request it does not follow: members that this route has no use for, and
 * what the model has no place for, by the names the dialect has for them.
 */
export function noteIgnored(
  c: ExchangeContext,
  body: JsonRecord,
  served: ReadonlySet<string>,
  ignored: readonly Ignored[],
  names: Readonly<Partial<Record<Ignored, string>>>,
): void {
  const unknown = Object.entries(body)
    .filter(([name, value]) => !served.has(name) && fieldName.test(name) && !asksForNothing(value))
    .map(([name]) => name)
  const told = [...unknown, ...ignored.map((name) => names[name] ?? name)]
  c.set('ignored', told.slice(0, ignoredFieldsMax))
}
