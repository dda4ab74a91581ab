/** The words of seeding on other sites what the disks hold. */
export const englishReseed = {
  reseed: {
    lead: 'What the downloaders hold is looked for on other sites, by its pieces where a site knows them, else by name and size. Only what lists the very files is taken: added paused, checked, and started when all of it is there. Nothing is downloaded.',
    enabled: 'Look for it',
    sites: 'On these sites',
    asked: (count: string) => `asked ${count} times in 24 hours`,
    ways: {
      pieces: (count: string) => `${count} found by pieces`,
      name: (count: string) => `${count} found by name`,
    },
    asks: 'Asks of a site in 24 hours',
    asksHint: 'Each lookup, search and torrent file is one. Some sites count them.',
    asksWrong: (max: number) => `A whole number from 2 to ${max}.`,
    noSites: 'No sites yet',
    noSitesBody: 'Add a site that can be searched.',
    found: 'What was looked for',
    emptyTitle: 'Nothing was looked for yet',
    emptyBody: 'The largest come first, every five minutes.',
    states: {
      none: 'Not there',
      other: 'Other files',
      unanswered: 'No answer',
      present: 'There already',
      adding: 'Being added',
      checking: 'Being checked',
      seeding: 'Seeding',
      failed: 'Not whole',
    },
  },
}
