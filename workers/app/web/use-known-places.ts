import { fetchTorrentGroups } from './api/downloaders.ts'
import { useResource } from './resource.ts'

type Place = 'categories' | 'tags' | 'folders'

/**
 * Categories, tags and folders that the torrents of a downloader have, or those of all: what the next one is likely to get.
 * Undefined before they are read.
 */
export function useKnownPlaces(downloaderId: number | undefined): (place: Place) => readonly string[] | undefined {
  const groups = useResource(`groups ${downloaderId}`, (signal) =>
    fetchTorrentGroups(downloaderId === undefined ? '' : `downloader_id=${downloaderId}`, signal),
  )
  return (place) => groups.state.value.data?.[place].flatMap(({ name }) => (name === '' ? [] : [name]))
}
