/** Files of rTorrent's torrents: it moves and removes none itself, so it is told to run the programs that do. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { fromBase64 } from '../../../core/bytes.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import { folderAbove } from '../../../core/rtorrent-torrent.ts'
import type { Torrent } from '../../../core/torrent.ts'
import { wholeAmount } from '../../../core/torrent-numbers.ts'
import { rtorrentFilesPerCall } from '../../../limits.ts'
import { inTurn } from '../in-turn.ts'
import type { RtorrentCall, RtorrentCalls } from './calls.ts'
import { rowsIn } from './details.ts'

/** A program with its arguments, as they are: no shell reads them. */
function run(program: string, ...args: readonly string[]): RtorrentCall {
  return ['execute.throw', '', program, ...args]
}

interface Place {
  readonly directory: string
  readonly isMultiFile: boolean
  readonly name: string
  readonly isMeta: boolean
  readonly isStarted: boolean
}

async function placeOf(
  calls: RtorrentCalls,
  hash: string,
  signal: AbortSignal,
): Promise<Result<Place, DownloaderFault>> {
  const answers = await calls.all(
    signal,
    ['d.directory', 'd.is_multi_file', 'd.name', 'd.is_meta', 'd.state'].map((method): RtorrentCall => [method, hash]),
  )
  if (!answers.ok) return answers
  const [directory, isMultiFile, name, isMeta, state] = answers.value.map((answer) => (answer.ok ? answer.value : ''))
  // Whatever is run must lie where the torrent's own files do.
  if (typeof directory !== 'string' || !directory.startsWith('/') || typeof name !== 'string' || name === '')
    return failWith({ kind: 'rejected' })
  return succeed({
    directory: directory.replace(/(?<=.)\/{1,8}$/, ''),
    isMultiFile: isMultiFile === 1,
    name,
    isMeta: isMeta === 1,
    isStarted: state === 1,
  })
}

/**
 * In one message, so that a move over disks goes to its end there although the wait for it is over. Never onto what is
 * there already; what cannot be moved stays where it is and goes on.
 */
export async function moveRtorrent(
  calls: RtorrentCalls,
  hash: string,
  folder: string,
  signal: AbortSignal,
): Promise<Result<void, DownloaderFault>> {
  const found = await placeOf(calls, hash, signal)
  if (!found.ok) return found
  const { directory, isMultiFile, name, isMeta, isStarted } = found.value
  const plainFolder = folder.replace(/(?<=.)\/{1,8}$/, '')
  if (!plainFolder.startsWith('/')) return failWith({ kind: 'rejected' })
  const last = isMultiFile ? (directory.split('/').at(-1) ?? name) : name
  const source = isMultiFile ? directory : `${directory}/${name}`
  const target = `${plainFolder}/${last}`
  const looks = await calls.all(signal, [
    run('mkdir', '-p', '--', plainFolder),
    run('test', '!', '-e', target),
    run('test', '-e', source),
  ])
  if (!looks.ok) return looks
  const [isMade, isFree, isThere] = looks.value.map(({ ok }) => ok)
  if (isMade !== true || isFree !== true) return failWith({ kind: 'rejected' })
  const hasFiles = isThere === true && !isMeta
  const goesOn: RtorrentCall[] = isStarted
    ? [
        ['d.open', hash],
        ['d.start', hash],
      ]
    : []
  const put = (place: string): RtorrentCall =>
    isMultiFile ? ['d.directory_base.set', hash, place] : ['d.directory.set', hash, folderAbove(place)]
  const answers = await calls.all(signal, [
    ['d.stop', hash],
    ['d.close', hash],
    ...(hasFiles ? [run('mv', '-T', '--', source, target)] : []),
    put(target),
    ['d.save_full_session', hash],
    ...goesOn,
  ])
  if (!answers.ok) return answers
  if (!hasFiles || answers.value[2]?.ok === true) return succeed(undefined)
  await calls.all(signal, [['d.stop', hash], ['d.close', hash], put(source), ['d.save_full_session', hash], ...goesOn])
  return failWith({ kind: 'rejected' })
}

/** Its own files and the folders they leave empty; whatever else lies beside them stays. */
export async function eraseWithFiles(
  calls: RtorrentCalls,
  hash: string,
  signal: AbortSignal,
): Promise<Result<void, DownloaderFault>> {
  const found = await placeOf(calls, hash, signal)
  if (!found.ok) return found
  const { directory, isMultiFile, isMeta } = found.value
  if (isMeta) return calls.each(signal, [['d.erase', hash]])
  const listed = await calls.one(signal, ['f.multicall', hash, '', 'f.path='])
  if (!listed.ok) return listed
  const paths = (rowsIn(listed.value) ?? []).map(([path]) => path)
  const files: string[] = []
  for (const path of paths) {
    if (typeof path !== 'string' || path.split('/').some((part) => part === '..')) return failWith({ kind: 'rejected' })
    files.push(`${directory}/${path}`)
  }
  const removals: RtorrentCall[] = []
  for (let from = 0; from < files.length; from += rtorrentFilesPerCall)
    removals.push(run('rm', '-f', '--', ...files.slice(from, from + rtorrentFilesPerCall)))
  const removed = await calls.each(signal, [['d.stop', hash], ['d.close', hash], ...removals])
  if (!removed.ok) return removed
  const erased = await calls.one(signal, ['d.erase', hash])
  if (!erased.ok) return erased
  if (isMultiFile) await calls.all(signal, emptyFolders(directory, files))
  return succeed(undefined)
}

/** Deepest first, so that each is empty when its turn comes. */
function emptyFolders(root: string, files: readonly string[]): RtorrentCall[] {
  const folders = new Set([root])
  for (const file of files)
    for (let folder = folderAbove(file); folder.length > root.length; folder = folderAbove(folder)) folders.add(folder)
  const deepestFirst = [...folders].sort((one, other) => other.split('/').length - one.split('/').length)
  const calls: RtorrentCall[] = []
  for (let from = 0; from < deepestFirst.length; from += rtorrentFilesPerCall)
    calls.push(
      run('rmdir', '--ignore-fail-on-non-empty', '--', ...deepestFirst.slice(from, from + rtorrentFilesPerCall)),
    )
  return calls
}

/** As `df` counts it; undefined where that is not to be had. */
export async function freeSpaceOf(
  calls: RtorrentCalls,
  folder: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const told = await calls.one(signal, ['execute.capture', '', 'df', '-P', '-B1', '--', folder])
  if (!told.ok || typeof told.value !== 'string') return undefined
  const available = told.value.trim().split('\n').at(-1)?.trim().split(/\s+/)[3]
  return available !== undefined && /^\d{1,16}$/.test(available) ? wholeAmount(Number(available)) : undefined
}

/**
 * The file that it keeps in its session folder; `export` is what it lacks without one. A magnet link has a file of its own
 * there that holds no metadata, so none is given out before that has come.
 */
export async function exportRtorrent(
  calls: RtorrentCalls,
  hash: string,
  signal: AbortSignal,
): Promise<Result<Uint8Array, DownloaderFault>> {
  const looks = await calls.all(signal, [['session.path'], ['d.is_meta', hash]])
  if (!looks.ok) return looks
  const [folder, isMeta] = looks.value.map((answer) => (answer.ok ? answer.value : undefined))
  if (typeof folder !== 'string' || !folder.startsWith('/')) return failWith({ kind: 'unsupported', skill: 'export' })
  if (isMeta !== 0) return failWith({ kind: 'rejected' })
  const place = `${folder.replace(/(?<=.)\/{1,8}$/, '')}/${hash}.torrent`
  const told = await calls.one(signal, ['execute.capture', '', 'base64', '-w0', '--', place])
  // Also where it is not allowed to run programs.
  if (!told.ok) return told.failure.kind === 'rejected' ? failWith({ kind: 'unsupported', skill: 'export' }) : told
  const bytes = typeof told.value === 'string' ? fromBase64(told.value.trim()) : undefined
  return bytes === undefined || bytes.length === 0 ? failWith({ kind: 'rejected' }) : succeed(bytes)
}

/** For messages about several: the first that fails is told. */
export function eachTorrent(
  torrents: readonly Pick<Torrent, 'infoHash'>[],
  operate: (hash: string) => Promise<Result<void, DownloaderFault>>,
): Promise<Result<void, DownloaderFault>> {
  return inTurn(torrents, ({ infoHash }) => operate(hashOf(infoHash)))
}

/** It writes them in capitals. */
export function hashOf(infoHash: string): string {
  return infoHash.toUpperCase()
}
