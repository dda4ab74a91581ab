/** The words of torrents that move from one downloader to another. */
export const englishTransfers = {
  transfers: {
    heading: 'Moves between downloaders',
    begin: 'Move to another downloader',
    title: (count: string) => `Move ${count} to another downloader`,
    how: 'Files stay where they are. The other downloader gets the torrent paused and checks it; only when all of it is there it takes over, and this one forgets it.',
    to: 'To',
    noOther: 'There is no other downloader that is on.',
    here: 'Folder as this one calls it',
    there: 'The same folder as the other one calls it',
    folderHint: 'Leave both empty where both call it the same.',
    folderHalf: 'Both names of the folder are needed, or none.',
    states: {
      waiting: 'Waiting',
      adding: 'Being added',
      checking: 'Being checked',
      switching: 'Taking over',
      done: 'Moved',
      failed: 'Not moved',
    },
    stop: 'Stop',
    stopping: 'Stopping',
    emptyTitle: 'Nothing was moved yet',
    emptyBody: 'Choose torrents of one downloader in the list, and “Move to another downloader” in the menu.',
  },
}
