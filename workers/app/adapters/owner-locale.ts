/** The owner's time zone and language, read from the settings and remembered for a moment: nearly every answer asks. */
import type { Clock } from '#shared/kernel/clock.ts'
import { ownerLanguageOf } from '../contract/owner-settings.ts'
import { isTimeZone } from '../core/local-day.ts'
import { ownerLocaleMs } from '../limits.ts'
import type { OwnerLocale, OwnerLocaleReader, OwnerSettings } from '../ports/settings.ts'

export function createOwnerLocale(deps: {
  readonly clock: Clock
  readonly settings: Pick<OwnerSettings, 'read'>
  /** Where the owner chose none. */
  readonly timeZone: string
}): OwnerLocaleReader {
  let known: { readonly untilMs: number; readonly locale: OwnerLocale } | undefined
  return {
    async read() {
      const nowMs = deps.clock.nowMs()
      // A clock that was set back would make it remembered for as long.
      if (known !== undefined && nowMs < known.untilMs && known.untilMs - nowMs <= ownerLocaleMs) return known.locale
      const { value } = await deps.settings.read('locale')
      // A runtime that was brought up to date may know another table of zones.
      const locale: OwnerLocale = {
        timeZone: isTimeZone(value.timeZone) ? value.timeZone : deps.timeZone,
        language: ownerLanguageOf(value),
      }
      known = { untilMs: nowMs + ownerLocaleMs, locale }
      return locale
    },
    forget() {
      known = undefined
    },
  }
}
