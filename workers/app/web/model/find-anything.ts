/** What the box that finds anything offers for what was typed. Pure: what there is comes as an argument. */

export const findGroups = ['actions', 'screens', 'sites', 'torrents', 'subscriptions'] as const
type FindGroup = (typeof findGroups)[number]

export interface Entry {
  readonly group: FindGroup
  readonly label: string
  /** Where it leads; an action without a place of its own is done instead. */
  readonly hash?: string
  readonly act?: () => void
  /** Stands there whatever was typed: who answered has looked for the words already, or they are in it. */
  readonly isChosen?: boolean
}

export const findWordsMax = 100
const perGroup = 6

/** Dots and dashes between the words of a title are blanks, as in the list of torrents. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[\s._-]+/g, ' ')
}

/**
 * The entries that hold every typed word, group by group; in a group those that begin with what was typed come first.
 * Without words: actions and screens, all of them.
 */
export function findEntries(entries: readonly Entry[], typed: string): readonly Entry[] {
  const asked = plain(typed).trim()
  const wanted = asked.split(' ')
  return findGroups.flatMap((group) => {
    const mine = entries.filter((one) => one.group === group)
    if (asked === '') return group === 'actions' || group === 'screens' ? mine : []
    const fitting = mine.filter(
      ({ label, isChosen }) => isChosen || wanted.every((word) => plain(label).includes(word)),
    )
    const first = fitting.filter(({ label }) => plain(label).startsWith(asked))
    return [...first, ...fitting.filter((one) => !first.includes(one))].slice(0, perGroup)
  })
}
