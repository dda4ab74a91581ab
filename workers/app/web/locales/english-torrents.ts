/** What stands about a torrent beyond its row: what its state does not tell, adding one, and its details. */
export const englishTorrents = {
  torrent: {
    conditions: {
      local_error: 'Error at the downloader',
      missing_files: 'Files missing',
      tracker_error: 'Tracker error',
      tracker_warning: 'Tracker warning',
      no_peers: 'No peers',
      stalled: 'Stalled',
      metadata: 'Fetching metadata',
      moving: 'Moving',
    },
    conditionFilter: 'What holds them up',
    filterCondition: (condition: string) => `“${condition}”`,
    said: 'Its words',
  },
}
