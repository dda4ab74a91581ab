/** Whether what another site has of a torrent is made of the very files that lie on a disk. */
import type { ListedFile, TorrentFile } from '../torrent-file.ts'

/** What its downloader shows, and what a file lists, as paths below the folder the torrent lies in. */
type Layout = readonly ListedFile[]

/** Undefined where the file tells no list. */
export function layoutOf({ name, files }: Pick<TorrentFile, 'name' | 'files'>): Layout | undefined {
  return files?.map(({ path, sizeBytes }) => ({ path: path === '' ? name : `${name}/${path}`, sizeBytes }))
}

/** Each path with its size, and nothing more: a file that differs in a byte of its length is another file. */
export function areSameFiles(held: Layout, wanted: Layout): boolean {
  const own = keysOf(held.filter(({ path }) => !isPadding(path)))
  const others = keysOf(wanted)
  return own.length > 0 && own.length === others.length && own.every((key, at) => key === others[at])
}

/** Fills a piece so that the next file begins with one. Some programs show it among the files. */
function isPadding(path: string): boolean {
  return path.split('/').includes('.pad')
}

function keysOf(layout: Layout): string[] {
  return layout.map(({ path, sizeBytes }) => JSON.stringify([path.normalize('NFC'), sizeBytes])).toSorted()
}

const extension = /\.(?:mkv|mp4|m4v|avi|ts|m2ts|iso|zip|rar|7z|flac|mp3|epub|pdf)$/i

/** The words of a release as sites search them: without what parts them, and no longer than they take. */
export function searchWordsOf(title: string, charactersMax: number): string {
  const words = title
    .replace(extension, '')
    .replace(/[[\](){}]/g, ' ')
    .split(/[\s._]+/u)
  let text = ''
  for (const word of words.filter((one) => one !== '')) {
    if (text.length + word.length + 1 > charactersMax) break
    text = text === '' ? word : `${text} ${word}`
  }
  return text
}

/** Of rows that could be it, those of the nearest size first. A size of 0 was not told. */
export function nearestInSize<Row extends { readonly size: number }>(
  rows: readonly Row[],
  sizeBytes: number,
  { share, max }: { readonly share: number; readonly max: number },
): Row[] {
  const distance = ({ size }: Row) => (size === 0 ? sizeBytes * share : Math.abs(size - sizeBytes))
  return rows
    .filter((row) => distance(row) <= sizeBytes * share)
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, max)
}
