/** The words of seeding on other sites what the disks hold. */
export const englishReseed = {
  reseed: {
    lead: 'What the downloaders hold is looked for on other sites, by name and size. What a site has of it is taken only when its torrent file lists the very files; it is added paused, checked, and started when all of it is there. Nothing is downloaded.',
    enabled: 'Look for it',
    sites: 'On these sites',
    asked: (count: string) => `asked ${count} times in 24 hours`,
    asks: 'Asks of a site in 24 hours',
    asksHint: 'A search is one, each torrent file another. Some sites count them.',
    asksWrong: (max: number) => `A whole number from 2 to ${max}.`,
    noSites: 'No sites yet',
    noSitesBody: 'Add a site that can be searched.',
    found: 'What was looked for',
    emptyTitle: 'Nothing was looked for yet',
    emptyBody: 'The largest torrents come first, one for each site every five minutes.',
    states: {
      none: 'Not there',
      other: 'Other files',
      present: 'There already',
      adding: 'Being added',
      checking: 'Being checked',
      seeding: 'Seeding',
      failed: 'Not whole',
    },
  },
}
