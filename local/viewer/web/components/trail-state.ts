/** What became of the hops of a saved trail, in marks and in words. */

import type { IconName } from '#shared/pages/icon.tsx'
import type { SavedTrail, SavedTrailHop } from '../../contract/wire.ts'
import { trailsWords, words } from '../locales/words.ts'

type Status = SavedTrailHop['status']

export const hopMarks: Readonly<Record<Status, { icon: IconName; tone: string }>> = {
  ok: { icon: 'm-on', tone: 'muted' },
  moved: { icon: 'm-warn', tone: 'warn' },
  ambiguous: { icon: 'm-guess', tone: 'warn' },
  missing: { icon: 'm-off', tone: 'bad' },
}

/** `2 moved, 1 gone`; empty when every hop is as it was saved. */
export function trailChanges({ hops }: SavedTrail): string {
  const text = trailsWords.value
  const count = (status: Status): number => hops.filter((hop) => hop.status === status).length
  return (['moved', 'ambiguous', 'missing'] as const)
    .flatMap((status) => (count(status) === 0 ? [] : [text[status](count(status))]))
    .join(words.value.comma)
}
