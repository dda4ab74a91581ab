/** Which files of a torrent file are loaded, chosen before anything of it is. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type PlacedFile, readTorrentFile } from '../../core/torrent-file.ts'
import { torrentFileBounds, torrentFilesShownMax } from '../../limits.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined } from '../model/amounts.ts'
import { Figure } from './figure.tsx'

export interface FileChoice {
  readonly files: readonly PlacedFile[]
  readonly chosen: ReadonlySet<number>
}

/** Undefined where there is nothing to choose: of several torrents at once, of one file, of one that lists too many or none. */
export function useFileChoice(torrent: File | undefined): Signal<FileChoice | undefined> {
  const choice = useSignal<FileChoice | undefined>(undefined)
  useEffect(() => {
    choice.value = undefined
    let isWanted = torrent !== undefined
    if (torrent !== undefined)
      void listed(torrent).then((files) => {
        if (isWanted && files.length > 1) choice.value = { files, chosen: placesOf(files) }
      })
    return () => {
      isWanted = false
    }
  }, [torrent])
  return choice
}

async function listed(torrent: File): Promise<readonly PlacedFile[]> {
  if (torrent.size > torrentFileBounds.bytesMax) return []
  const read = readTorrentFile(new Uint8Array(await torrent.arrayBuffer()), torrentFileBounds)
  const files = read.ok ? (read.value.files ?? []) : []
  return files.length > torrentFilesShownMax ? [] : files
}

function placesOf(files: readonly PlacedFile[]): ReadonlySet<number> {
  return new Set(files.map(({ place }) => place))
}

/** As the API takes it; nothing where all are loaded. */
export function filesWanted(choice: FileChoice | undefined): { files?: number[] } {
  return choice === undefined || choice.chosen.size === choice.files.length ? {} : { files: [...choice.chosen] }
}

const video = /\.(?:mkv|mp4|m4v|avi|ts|m2ts|mov|wmv|webm|mpg|vob)$/i

export function TorrentFileChoice({
  choice,
  error,
}: {
  choice: Signal<FileChoice | undefined>
  error: string | undefined
}) {
  const text = words.value.torrent
  if (choice.value === undefined) return null
  const { files, chosen } = choice.value
  const choose = (wanted: readonly PlacedFile[]) => {
    choice.value = { files, chosen: placesOf(wanted) }
  }
  const isChosen = ({ place }: PlacedFile) => chosen.has(place)
  const videos = files.filter(({ path }) => video.test(path))
  const bytes = files.filter(isChosen).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return (
    <fieldset>
      <legend class="label">{text.filesToLoad}</legend>
      <div class="btns">
        <button class="btn quiet" type="button" onClick={() => choose(files)}>
          {text.allFiles}
        </button>
        <button class="btn quiet" type="button" onClick={() => choose([])}>
          {text.noFile}
        </button>
        {videos.length === 0 || videos.length === files.length ? null : (
          <button class="btn quiet" type="button" onClick={() => choose(videos)}>
            {text.videosOnly}
          </button>
        )}
        <span class="faint small" role="status">
          {text.filesChosen(grouped(chosen.size), grouped(files.length), joined(bytesAmount(bytes)))}
        </span>
      </div>
      <ul class="rows small files-in">
        {files.map((file) => (
          <li key={file.place}>
            <label class="tick grow">
              <input
                type="checkbox"
                checked={isChosen(file)}
                onChange={() => choose(files.filter((one) => isChosen(one) !== (one === file)))}
              />
              <span class="brk">{file.path}</span>
            </label>
            <Figure amount={bytesAmount(file.sizeBytes)} />
          </li>
        ))}
      </ul>
      {error === undefined ? null : (
        <span class="hint bad" role="alert">
          {error}
        </span>
      )}
    </fieldset>
  )
}
