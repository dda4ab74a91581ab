import { DurableObject } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { createKeyCheckStore } from '../adapters/d1/key-check.ts'
import { createSecretBox } from '../adapters/secret-box.ts'
import { openCredentials } from '../adapters/site-credentials.ts'
import { siteRuntime } from '../adapters/site-runtime.ts'
import { createSiteDriver } from '../adapters/sites/create-driver.ts'
import type { SiteDriver } from '../adapters/sites/site-driver.ts'
import { fetchIcon } from '../adapters/sites/site-icon.ts'
import {
  type SearchHit,
  type SignInOutcome,
  type SiteQuery,
  type SiteReading,
  type SiteTarget,
  type SiteVisit,
  siteAbilities,
} from '../core/site.ts'
import type { SiteFault } from '../core/site-fault.ts'
import { iconMissingSeconds, iconSeconds, searchSiteMs, signInMs, siteVisitMs } from '../limits.ts'
import type { SiteIcon } from '../ports.ts'

/**
 * The only door to one site: its calls take turns here and keep its pause, whoever asks. Signing in and looking whether
 * the credentials work exclude one another.
 */
export class SiteObject extends DurableObject<Cloudflare.Env> {
  #current: { readonly revision: number; readonly driver: Promise<Result<SiteDriver, SiteFault>> } | undefined
  #isAtDoor = false

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env)
    state.storage.sql.exec(
      'create table if not exists icon (id integer primary key, base_url text, at_unix integer, type text, etag text, bytes blob)',
    )
  }

  probe(target: SiteTarget): Promise<Result<SiteVisit, SiteFault>> {
    return this.#alone(() => this.#with(target, siteVisitMs, (driver, signal) => driver.probe(signal)))
  }

  read(target: SiteTarget): Promise<Result<SiteReading, SiteFault>> {
    return this.#with(target, siteVisitMs, (driver, signal) => driver.read(signal))
  }

  search(target: SiteTarget, query: SiteQuery): Promise<Result<SearchHit[], SiteFault>> {
    return this.#with(target, searchSiteMs, async (driver, signal) => {
      const found = await driver.search(query, signal)
      // Links and keys for downloads stay behind this door.
      return found.ok ? succeed(found.value.map(({ downloadKey: _, ...hit }) => hit)) : found
    })
  }

  signIn(target: SiteTarget): Promise<Result<SignInOutcome, SiteFault>> {
    return this.#alone(() => this.#with(target, signInMs, (driver, signal) => driver.signIn(signal)))
  }

  /** Undefined when the site has none. Kept, and the lack of one too, so that lists do not ask the site each time. */
  async icon(target: SiteTarget): Promise<Result<SiteIcon | undefined, SiteFault>> {
    const { sql } = this.ctx.storage
    const nowUnix = Math.floor(siteRuntime.nowMs() / 1000)
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
    const found = await fetchIcon(target, siteRuntime, AbortSignal.timeout(siteVisitMs))
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
      this.#current = { revision: target.revision, driver: this.#connect(target) }
    }
    const { driver } = this.#current
    const outcome = await driver
    // Credentials that could not be opened are tried again with the next call: the owner may have put the key back.
    if (!outcome.ok && this.#current?.driver === driver) this.#current = undefined
    return outcome
  }

  async #connect({
    id,
    kind,
    baseUrl,
    profile,
    sealedCredentials,
  }: SiteTarget): Promise<Result<SiteDriver, SiteFault>> {
    const secrets = createSecretBox(this.env.MASTER_KEY, createKeyCheckStore(drizzle(this.env.DB)))
    const opened = await openCredentials(secrets, id, sealedCredentials)
    if (!opened.ok) return failWith({ kind: 'secrets', state: opened.failure })
    const { cookie, apiKey } = opened.value
    const wanted = siteAbilities[kind].credential
    const isThere =
      wanted === 'either' ? cookie !== '' || apiKey !== '' : (wanted === 'cookie' ? cookie : apiKey) !== ''
    if (!isThere) return failWith({ kind: 'no_credentials' })
    return succeed(createSiteDriver({ kind, baseUrl, profile, credentials: opened.value }, siteRuntime))
  }
}
