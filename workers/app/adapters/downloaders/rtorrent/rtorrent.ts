import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { toBase64 } from '../../../core/bytes.ts'
import type { DownloaderSettings, DownloaderStatus, InfoHashes, TorrentUpload } from '../../../core/downloader.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import { readMagnet } from '../../../core/magnet.ts'
import { fromRtorrent, labelsAs } from '../../../core/rtorrent-torrent.ts'
import type { Torrent } from '../../../core/torrent.ts'
import type { TorrentChange, TorrentDetails } from '../../../core/torrent-details.ts'
import { wholeAmount } from '../../../core/torrent-numbers.ts'
import type { TorrentAction } from '../../../core/vocabulary.ts'
import { Base64Text, type XmlRpcValue } from '../../../core/xml-rpc.ts'
import { rtorrentLoadLooks, rtorrentLoadPauseMs, rtorrentSpaceLookMs } from '../../../limits.ts'
import type { DownloaderDriver, DownloaderReading, DriverRuntime } from '../downloader-driver.ts'
import { freeSpaceUp } from '../nearest-folder.ts'
import { SeenTorrents } from '../seen-torrents.ts'
import { type RtorrentCall, RtorrentCalls } from './calls.ts'
import { changeTorrents } from './changes.ts'
import { readRtorrentDetails, rowsIn, rtorrentDetailCalls } from './details.ts'
import { eachTorrent, eraseWithFiles, exportRtorrent, freeSpaceOf, hashOf } from './files.ts'
import { readRow, rowCommands } from './shapes.ts'

const notThisKind: DownloaderFault = { kind: 'not_this_kind' }

/** rTorrent from 0.9.8 on, by XML-RPC behind a web server. It needs the commands that run programs for what files it moves. */
export class RtorrentDriver implements DownloaderDriver {
  readonly #calls: RtorrentCalls
  readonly #nowMs: () => number
  readonly #wait: (ms: number) => Promise<void>
  readonly #seen = new SeenTorrents()
  #space: { readonly folder: string; readonly atMs: number; readonly bytes: number | undefined } | undefined

  constructor(settings: DownloaderSettings, runtime: DriverRuntime) {
    this.#calls = new RtorrentCalls(settings, runtime)
    this.#nowMs = runtime.nowMs
    this.#wait = runtime.wait
  }

  async read(signal: AbortSignal): Promise<Result<DownloaderReading, DownloaderFault>> {
    const reading = await this.#readOn(signal)
    if (!reading.ok) this.#seen.forget()
    return reading
  }

  async #readOn(signal: AbortSignal): Promise<Result<DownloaderReading, DownloaderFault>> {
    const answers = await this.#calls.all(signal, [
      ['d.multicall2', '', 'main', ...rowCommands],
      ['system.client_version'],
      ['throttle.global_up.rate'],
      ['throttle.global_down.rate'],
      ['directory.default'],
    ])
    // A fault of the whole message is an XML-RPC server of somebody else.
    if (!answers.ok) return answers.failure.kind === 'rejected' ? failWith(notThisKind) : answers
    const [rows, version, up, down, folder] = answers.value.map((answer) => (answer.ok ? answer.value : undefined))
    const torrents = rowsIn(rows)?.map((row) => readRow(row))
    if (torrents === undefined || typeof version !== 'string') return failWith(notThisKind)
    const known: Torrent[] = []
    for (const torrent of torrents) {
      if (torrent === undefined) return failWith(notThisKind)
      known.push(fromRtorrent(torrent))
    }
    const free = await this.#freeSpace(typeof folder === 'string' ? folder : '', signal)
    const status: DownloaderStatus = {
      version,
      uploadBytesPerSecond: wholeAmount(typeof up === 'number' ? up : 0),
      downloadBytesPerSecond: wholeAmount(typeof down === 'number' ? down : 0),
      // It keeps no totals beyond a run but those of its torrents.
      uploadedBytes: known.reduce((sum, torrent) => sum + torrent.uploadedBytes, 0),
      downloadedBytes: known.reduce((sum, torrent) => sum + torrent.downloadedBytes, 0),
      ...(free === undefined ? {} : { freeSpaceBytes: free }),
    }
    return succeed({ changes: this.#seen.takeOver(known), status })
  }

  /** A program is run for it, so not with every read. */
  async #freeSpace(folder: string, signal: AbortSignal): Promise<number | undefined> {
    if (folder === '') return undefined
    const kept = this.#space
    const ageMs = this.#nowMs() - (kept?.atMs ?? 0)
    if (kept?.folder === folder && kept.bytes !== undefined && ageMs >= 0 && ageMs < rtorrentSpaceLookMs)
      return kept.bytes
    const bytes = await freeSpaceOf(this.#calls, folder, signal)
    this.#space = { folder, atMs: this.#nowMs(), bytes }
    return bytes
  }

  async act(
    action: TorrentAction,
    infoHashes: InfoHashes,
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const each = (...methods: readonly string[]): RtorrentCall[] =>
      infoHashes.flatMap((infoHash) => methods.map((method): RtorrentCall => [method, hashOf(infoHash)]))
    switch (action) {
      case 'pause':
        return this.#calls.each(signal, each('d.stop'))
      case 'resume':
        return this.#calls.each(signal, each('d.open', 'd.start', 'd.resume'))
      case 'delete':
        return this.#calls.each(signal, each('d.erase'))
      case 'delete_with_files':
        this.#space = undefined
        return eachTorrent(
          infoHashes.map((infoHash) => ({ infoHash })),
          (hash) => eraseWithFiles(this.#calls, hash, signal),
        )
    }
  }

  /** Loads it stopped, and starts it when everything about it is set: what it is told later would come too late. */
  async add(upload: TorrentUpload, signal: AbortSignal): Promise<Result<void, DownloaderFault>> {
    const labels = upload.category === '' && upload.tags.length === 0 ? '' : labelsAs(upload.category, upload.tags)
    const addTime = String(Math.floor(this.#nowMs() / 1000))
    const isPaused = upload.isPaused === true
    if (typeof upload.content === 'string')
      return this.#addLink(upload, upload.content, { labels, addTime, isPaused }, signal)
    const sent = await this.#calls.one(signal, ['load.raw', '', new Base64Text(toBase64(upload.content))])
    if (!sent.ok) return sent
    const loaded = await this.#loaded(upload.infoHashes, signal)
    if (!loaded.ok) return loaded
    const hash = loaded.value
    return this.#calls.each(signal, [
      ...(upload.savePath === '' ? [] : [['d.directory.set', hash, upload.savePath] as const]),
      ['d.custom1.set', hash, labels],
      ['d.custom.set', hash, 'addtime', addTime],
      ['d.save_full_session', hash],
      ...(isPaused ? [] : [['d.start', hash] as const]),
    ])
  }

  /** When its metadata has come it is loaded anew: what goes with it then are commands, not what was set on it. */
  async #addLink(
    upload: TorrentUpload,
    link: string,
    about: { readonly labels: string; readonly addTime: string; readonly isPaused: boolean },
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const { savePath } = upload
    // A command that begins otherwise could be read as more than a folder.
    if (savePath !== '' && !savePath.startsWith('/')) return failWith({ kind: 'rejected' })
    const sent = await this.#calls.one(signal, [
      about.isPaused ? 'load.normal' : 'load.start',
      '',
      link,
      ...(savePath === '' ? [] : [`d.directory.set=${quotedWord(savePath)}`]),
      `d.custom1.set=${quotedWord(about.labels)}`,
      `d.custom.set=addtime,${about.addTime}`,
    ])
    if (!sent.ok) return sent
    const loaded = await this.#loaded(upload.infoHashes, signal)
    if (!loaded.ok) return loaded
    const name = readMagnet(link)?.title ?? ''
    if (name === '') return succeed(undefined)
    return this.#calls.each(signal, [['d.custom.set', loaded.value, 'linkname', encodeURIComponent(name)]])
  }

  /** It takes up in its next round what it was sent, and says nothing of what it cannot read. */
  async #loaded(infoHashes: InfoHashes, signal: AbortSignal): Promise<Result<string, DownloaderFault>> {
    const hashes = infoHashes.map(hashOf)
    for (let look = 0; look < rtorrentLoadLooks; look++) {
      const answers = await this.#calls.all(
        signal,
        hashes.map((hash) => ['d.hash', hash]),
      )
      if (!answers.ok) return answers
      const shown = hashes.find((_, index) => answers.value[index]?.ok === true)
      if (shown !== undefined) return succeed(shown)
      await this.#wait(rtorrentLoadPauseMs)
    }
    return failWith({ kind: 'rejected' })
  }

  async details(infoHash: string, signal: AbortSignal): Promise<Result<TorrentDetails | undefined, DownloaderFault>> {
    const answers = await this.#calls.all(signal, rtorrentDetailCalls(hashOf(infoHash)))
    if (!answers.ok) return answers
    const values: XmlRpcValue[] = []
    // They fail together: it has no such torrent.
    for (const answer of answers.value) if (answer.ok) values.push(answer.value)
    if (values.length === 0) return succeed(undefined)
    const details = values.length === answers.value.length ? readRtorrentDetails(values) : undefined
    return details === undefined ? failWith(notThisKind) : succeed(details)
  }

  change(
    change: TorrentChange,
    torrents: readonly [Torrent, ...Torrent[]],
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    return changeTorrents(this.#calls, change, torrents, signal)
  }

  exportFile(infoHash: string, signal: AbortSignal): Promise<Result<Uint8Array, DownloaderFault>> {
    return exportRtorrent(this.#calls, hashOf(infoHash), signal)
  }

  freeSpaceIn(folder: string, signal: AbortSignal): Promise<number | undefined> {
    return freeSpaceUp(folder, (place) => freeSpaceOf(this.#calls, place, signal))
  }
}
/** One word of its command language, whatever is in it. */
function quotedWord(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
