import type { JsonRecord } from '#shared/kernel/json-record.ts'
import type { Ignored } from '../core/to-provider/generation.ts'
import { membersLeftOut } from '../core/unread-members.ts'
import { ignoredFieldsMax } from '../limits.ts'
import type { ExchangeContext } from './exchange.ts'

/** What a field is called in a header: names that do not fit there are left out. */
const fieldName = /^[A-Za-z0-9_.-]{1,100}$/

/** Stands for those that there is no room for. */
const more = 'more'

interface Followed {
  /** The request as its client sent it, and as its shape reads it. */
  readonly sent: JsonRecord
  readonly read: unknown
  /** What the model has no place for, by the names the dialect has for it. */
  readonly ignored: readonly Ignored[]
  readonly names: Readonly<Partial<Record<Ignored, string>>>
  /** What a translation passes over of what the shape reads. */
  readonly passedOver?: readonly string[]
}

/** Notes for the answer's header what of the request it does not follow. */
export function noteIgnored(c: ExchangeContext, { sent, read, ignored, names, passedOver = [] }: Followed): void {
  const all = [...membersLeftOut(sent, read), ...ignored.map((name) => names[name] ?? name), ...passedOver]
  const told = [...new Set(all)].filter((name) => fieldName.test(name))
  c.set('ignored', told.length > ignoredFieldsMax ? [...told.slice(0, ignoredFieldsMax), more] : told)
}
