import { DurableObject } from 'cloudflare:workers'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SiteFigureStore } from '../adapters/d1/site-figures.ts'
import type { FoundTorrents } from '../adapters/found-torrents.ts'
import type { SiteDriver } from '../adapters/sites/site-driver.ts'
import { toFoundTorrent } from '../contract/console-search.ts'
import { writeSearchRows } from '../contract/search-rows.ts'
import type { DownloaderTarget } from '../core/downloader.ts'
import type { PushFailure } from '../core/push-fault.ts'
import type { PushGate } from '../core/push-plan.ts'
import { planSearch, type SearchRows, type SiteSearchQuery } from '../core/search-plan.ts'
import type {
  PiecesAnswer,
  SignInOutcome,
  SiteFixture,
  SiteMessage,
  SiteReading,
  SiteTarget,
  SiteVisit,
} from '../core/site.ts'
import { isForeignFile, type SiteFault } from '../core/site-fault.ts'
import { knownNumber } from '../core/site-figures.ts'
import {
  capacityFigureSeconds,
  iconMissingSeconds,
  iconSeconds,
  piecesAgainSeconds,
  pushDownloadMs,
  rememberAfterMs,
  searchSiteMs,
  signInMs,
  siteVisitMs,
} from '../limits.ts'
import type { Picture } from '../ports/catalogue.ts'
import type { ForeseenPush, PushOrder, PushOutcome } from '../ports/pushes.ts'
import type { Logger } from '../ports/runtime.ts'
import type { PushLine } from '../services/pushes/push-line.ts'
import type { PushDeps } from '../services/pushes/push-torrent.ts'

export interface SiteParts {
  readonly clock: Clock
  wait(ms: number, signal: AbortSignal): Promise<void>
  readonly logger: Logger
  readonly figures: Pick<SiteFigureStore, 'users'>
  /** The line of this site. */
  readonly pushes: PushLine
  found(storage: DurableObjectStorage, target: SiteTarget): FoundTorrents
  push(
    from: Pick<PushDeps, 'site' | 'found' | 'download' | 'seeding'>,
    downloader: DownloaderTarget,
    order: PushOrder,
  ): Promise<Result<PushOutcome, SiteFault>>
  foresee(
    from: Pick<PushDeps, 'site' | 'found' | 'seeding'>,
    downloader: DownloaderTarget,
    wish: ForeseenPush,
  ): Promise<PushGate[]>
  /** Fails where the credentials cannot be opened, or lack what the kind of site needs. */
  connect(target: SiteTarget, noteCall: () => void): Promise<Result<SiteDriver, SiteFault>>
  fetchIcon(target: SiteTarget, noteCall: () => void): Promise<Result<Picture | undefined, SiteFault>>
}

const hoursTold = 24
const notByPieces: PiecesAnswer = { asks: 0, torrents: failWith({ kind: 'unsupported' }) }

/**
 * The only door to one site: its calls take turns here and keep its pause, whoever asks. Signing in and looking whether
 * the credentials work exclude one another.
 */
export abstract class SiteHost extends DurableObject<Cloudflare.Env> {
  #current: { readonly revision: number; readonly driver: Promise<Result<SiteDriver, SiteFault>> } | undefined
  readonly #parts = this.compose()
  #isAtDoor = false
  #isToKeep = false
  /** By hour, of those that are not written down yet. */
  readonly #newCalls = new Map<number, number>()
  #foundTorrents: { readonly siteId: number; readonly revision: number; readonly torrents: FoundTorrents } | undefined

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env)
    state.storage.sql.exec(
      'create table if not exists icon (id integer primary key, base_url text, at_unix integer, type text, etag text, bytes blob)',
    )
    state.storage.sql.exec(
      'create table if not exists without_pieces (id integer primary key, revision integer, since_unix integer)',
    )
    state.storage.sql.exec('create table if not exists calls (hour integer primary key, count integer not null)')
  }

  protected abstract compose(): SiteParts

  probe(target: SiteTarget): Promise<Result<SiteVisit, SiteFault>> {
    return this.#alone(() => this.#with(target, siteVisitMs, (driver, signal) => driver.probe(signal)))
  }

  read(target: SiteTarget): Promise<Result<SiteReading, SiteFault>> {
    return this.#with(target, siteVisitMs, (driver, signal) => driver.read(signal))
  }

  search(target: SiteTarget, wish: SiteSearchQuery): Promise<Result<SearchRows, SiteFault>> {
    const plan = planSearch(target.profile, wish)
    return this.#with(target, searchSiteMs, async (driver, signal) => {
      const found = await driver.search(plan.query, signal)
      if (!found.ok) return found
      this.#found(target).note(found.value, this.#nowUnix())
      this.#keepSoon()
      // Links and keys for downloads stay behind this door.
      return succeed(
        writeSearchRows(
          target.name,
          found.value.filter((hit) => plan.keeps(hit)),
          wish.forConsole ? (hit) => toFoundTorrent(target, hit) : undefined,
        ),
      )
    })
  }

  /** One at a time: what one push takes of the site's capacity is known to the next. */
  async push(
    target: SiteTarget,
    downloader: DownloaderTarget,
    order: PushOrder,
  ): Promise<Result<PushOutcome, PushFailure>> {
    const pushed = await this.#parts.pushes.inTurn(() => this.#pushInTurn(target, downloader, order))
    if (pushed === undefined) return failWith({ kind: 'busy' })
    return pushed.ok ? pushed : failWith({ kind: 'download', fault: pushed.failure })
  }

  /** Takes no turn: it changes nothing. */
  foresee(
    target: SiteTarget,
    downloader: DownloaderTarget,
    wish: ForeseenPush,
  ): Promise<Result<PushGate[], SiteFault>> {
    return this.#with(target, siteVisitMs, async (driver) =>
      succeed(await this.#parts.foresee(this.#from(target, driver), downloader, wish)),
    )
  }

  /** The file of one torrent, for whoever brings it into a downloader by other means. */
  download(target: SiteTarget, torrentId: string): Promise<Result<Uint8Array, SiteFault>> {
    return this.#with(target, pushDownloadMs, async (driver, signal) => {
      const found = await this.#found(target).find(torrentId, this.#nowUnix())
      const file = await driver.download(torrentId, found?.downloadKey, signal)
      return file.ok || found !== undefined || !isForeignFile(file.failure) ? file : failWith({ kind: 'search_first' })
    })
  }

  #pushInTurn(
    target: SiteTarget,
    downloader: DownloaderTarget,
    order: PushOrder,
  ): Promise<Result<PushOutcome, SiteFault>> {
    return this.#with(target, pushDownloadMs, (driver, signal) => {
      return this.#parts.push(
        {
          ...this.#from(target, driver),
          download: (torrentId, key) => driver.download(torrentId, key, signal),
        },
        downloader,
        order,
      )
    })
  }

  #from(target: SiteTarget, driver: SiteDriver): Pick<PushDeps, 'site' | 'found' | 'seeding'> {
    return {
      site: target,
      found: async (torrentId) => this.#found(target).find(torrentId, this.#nowUnix()),
      seeding: () => this.#seeding(target, driver),
    }
  }

  /** As last fetched; read anew when that was long ago. */
  async #seeding(target: SiteTarget, driver: SiteDriver) {
    const users = await this.#parts.figures.users()
    const known = users.ok ? users.value.get(target.id) : undefined
    const nowUnix = this.#nowUnix()
    const knownBytes = known === undefined ? undefined : knownNumber(known, 'seeding_size')
    if (known !== undefined && knownBytes !== undefined && nowUnix - known.fetchedAtUnix < capacityFigureSeconds)
      return { bytes: knownBytes, atUnix: known.fetchedAtUnix }
    const reading = await driver.read(AbortSignal.timeout(siteVisitMs))
    const user = reading.ok ? reading.value.user : undefined
    const bytes = user === undefined ? undefined : knownNumber(user, 'seeding_size')
    return bytes === undefined ? undefined : { bytes, atUnix: nowUnix }
  }

  /** Sealing and writing take time that other sites' answers need now: one of each does for what came meanwhile. */
  #keepSoon(): void {
    if (this.#isToKeep) return
    this.#isToKeep = true
    this.ctx.waitUntil(this.#keep())
  }

  async #keep(): Promise<void> {
    try {
      await this.#parts.wait(rememberAfterMs, AbortSignal.timeout(siteVisitMs))
      this.#isToKeep = false
      await this.#foundTorrents?.torrents.settle()
      this.#keepCalls()
    } catch (cause) {
      this.#isToKeep = false
      this.#parts.logger.error('site_not_remembered', { site_id: this.#foundTorrents?.siteId, cause })
    }
  }

  #found(target: SiteTarget): FoundTorrents {
    if (this.#foundTorrents?.revision !== target.revision) {
      const torrents = this.#parts.found(this.ctx.storage, target)
      this.#foundTorrents = { siteId: target.id, revision: target.revision, torrents }
    }
    return this.#foundTorrents.torrents
  }

  #nowUnix(): number {
    return unixSeconds(this.#parts.clock)
  }

  /** Pages for a report: made fit to be shown here, so that nothing else leaves. */
  fixture(target: SiteTarget): Promise<Result<SiteFixture, SiteFault>> {
    return this.#with(
      target,
      siteVisitMs,
      async (driver, signal) => (await driver.fixture?.(signal)) ?? failWith({ kind: 'unsupported' }),
    )
  }

  messages(target: SiteTarget): Promise<Result<SiteMessage[], SiteFault>> {
    return this.#with(
      target,
      siteVisitMs,
      async (driver, signal) => (await driver.messages?.(signal)) ?? failWith({ kind: 'unsupported' }),
    )
  }

  /** With the owner's key in it: for whoever seals it. */
  feedAddress(target: SiteTarget): Promise<Result<string, SiteFault>> {
    return this.#with(
      target,
      siteVisitMs,
      async (driver, signal) => (await driver.feedAddress?.(signal)) ?? failWith({ kind: 'no_feed' }),
    )
  }

  async mayFindByPieces(target: SiteTarget): Promise<Result<boolean, SiteFault>> {
    if (this.#isWithoutPieces(target)) return succeed(false)
    return this.#with(target, siteVisitMs, async (driver) => succeed(driver.findByPieces !== undefined))
  }

  /** What a site does not offer is not asked for again for a while. */
  findByPieces(target: SiteTarget, hashes: readonly string[]): Promise<Result<PiecesAnswer, SiteFault>> {
    if (this.#isWithoutPieces(target)) return Promise.resolve(succeed(notByPieces))
    return this.#with(target, siteVisitMs, async (driver, signal) => {
      const answer = (await driver.findByPieces?.(hashes, signal)) ?? notByPieces
      if (!answer.torrents.ok && answer.torrents.failure.kind === 'unsupported')
        this.ctx.storage.sql.exec(
          'insert or replace into without_pieces values (1, ?, ?)',
          target.revision,
          this.#nowUnix(),
        )
      return succeed(answer)
    })
  }

  #isWithoutPieces({ revision }: SiteTarget): boolean {
    const since = this.#nowUnix() - piecesAgainSeconds
    const known = this.ctx.storage.sql.exec(
      'select 1 from without_pieces where revision = ? and since_unix > ?',
      revision,
      since,
    )
    return known.toArray().length > 0
  }

  signIn(target: SiteTarget): Promise<Result<SignInOutcome, SiteFault>> {
    return this.#alone(() => this.#with(target, signInMs, (driver, signal) => driver.signIn(signal)))
  }

  /** Undefined when the site has none. Kept, and the lack of one too, so that lists do not ask the site each time. */
  async icon(target: SiteTarget): Promise<Result<Picture | undefined, SiteFault>> {
    const { sql } = this.ctx.storage
    const nowUnix = this.#nowUnix()
    const [kept] = sql
      .exec<{ base_url: string; at_unix: number; type: string; etag: string; bytes: ArrayBuffer }>('select * from icon')
      .toArray()
    if (kept !== undefined && kept.base_url === target.baseUrl) {
      const lifetime = kept.type === '' ? iconMissingSeconds : iconSeconds
      if (nowUnix >= kept.at_unix && nowUnix < kept.at_unix + lifetime) {
        return succeed(
          kept.type === '' ? undefined : { bytes: new Uint8Array(kept.bytes), type: kept.type, etag: kept.etag },
        )
      }
    }
    const fetched = await this.#parts.fetchIcon(target, this.#noteCall)
    if (!fetched.ok) return fetched
    const found = fetched.value
    sql.exec(
      'insert or replace into icon (id, base_url, at_unix, type, etag, bytes) values (1, ?, ?, ?, ?, ?)',
      target.baseUrl,
      nowUnix,
      found?.type ?? '',
      found?.etag ?? '',
      found?.bytes ?? new Uint8Array(),
    )
    return succeed(found)
  }

  /** Requests that went to the site in this hour and the 23 before it. */
  async calls(): Promise<Result<number, SiteFault>> {
    const since = this.#hour() - hoursTold
    const { count } = this.ctx.storage.sql
      .exec<{ count: number }>('select coalesce(sum(count), 0) as count from calls where hour > ?', since)
      .one()
    const fresh = [...this.#newCalls].filter(([hour]) => hour > since)
    return succeed(fresh.reduce((sum, [, calls]) => sum + calls, count))
  }

  /** A count is no reason to make an answer wait for the disk. */
  readonly #noteCall = (): void => {
    const hour = this.#hour()
    this.#newCalls.set(hour, (this.#newCalls.get(hour) ?? 0) + 1)
    this.#keepSoon()
  }

  #keepCalls(): void {
    const { sql } = this.ctx.storage
    for (const [hour, count] of this.#newCalls)
      sql.exec(
        'insert into calls values (?, ?) on conflict (hour) do update set count = count + excluded.count',
        hour,
        count,
      )
    this.#newCalls.clear()
    sql.exec('delete from calls where hour <= ?', this.#hour() - hoursTold)
  }

  #hour(): number {
    return Math.floor(this.#nowUnix() / 3600)
  }

  async #alone<T>(visit: () => Promise<Result<T, SiteFault>>): Promise<Result<T, SiteFault>> {
    if (this.#isAtDoor) return failWith({ kind: 'busy' })
    this.#isAtDoor = true
    try {
      return await visit()
    } finally {
      this.#isAtDoor = false
    }
  }

  async #with<T>(
    target: SiteTarget,
    limitMs: number,
    visit: (driver: SiteDriver, signal: AbortSignal) => Promise<Result<T, SiteFault>>,
  ): Promise<Result<T, SiteFault>> {
    const driver = await this.#driverFor(target)
    return driver.ok ? visit(driver.value, AbortSignal.timeout(limitMs)) : driver
  }

  /** Changed settings begin afresh: other credentials, another place. */
  async #driverFor(target: SiteTarget): Promise<Result<SiteDriver, SiteFault>> {
    if (this.#current?.revision !== target.revision) {
      this.#current = { revision: target.revision, driver: this.#parts.connect(target, this.#noteCall) }
    }
    const { driver } = this.#current
    const outcome = await driver
    // Credentials that could not be opened are tried again with the next call: the owner may have put the key back.
    if (!outcome.ok && this.#current?.driver === driver) this.#current = undefined
    return outcome
  }
}
