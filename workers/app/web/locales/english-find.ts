/** Words of the box that finds anything. */
export const englishFind = {
  find: {
    title: 'Find anything',
    hint: 'Screens, sites, torrents, subscriptions, actions',
    groups: {
      screens: 'Screens',
      actions: 'Actions',
      sites: 'Sites',
      torrents: 'Torrents',
      subscriptions: 'Subscriptions',
    },
    addTorrents: 'Add torrents',
    addSite: 'Add a site',
    addDownloader: 'Add a downloader',
    addSubscription: 'Subscribe to a title',
    light: 'Light theme',
    dark: 'Dark theme',
    allTorrents: (words: string) => `All torrents with “${words}”`,
    searchSites: (words: string) => `Search the sites for “${words}”`,
    found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
    none: 'Nothing found.',
    partly: 'Some could not be read.',
  },
}
