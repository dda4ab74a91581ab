import { DurableObject } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { failWith, type Result } from '#shared/kernel/result.ts'
import { readProxy } from '../adapters/catalogue/catalogue-settings.ts'
import { type CheckedReleases, ReleaseList } from '../adapters/catalogue/release-list.ts'
import { createKeyCheckStore } from '../adapters/d1/key-check.ts'
import { createOwnerSettings } from '../adapters/d1/owner-settings.ts'
import { createSecretBox } from '../adapters/secret-box.ts'
import { siteRuntimeOf } from '../adapters/site-runtime.ts'
import { releaseListAddress } from '../core/release.ts'
import type { ServiceFault } from '../core/service-fault.ts'
import type { OwnerSettings } from '../ports.ts'

/**
 * The only door to what others publish for everybody: the list of releases. It is asked here once for all callers, and
 * what it said is kept here.
 */
export class CatalogueObject extends DurableObject<Cloudflare.Env> {
  readonly #runtime = siteRuntimeOf(this.env)
  readonly #releases = new ReleaseList(this.ctx.storage.sql, this.#runtime)
  readonly #settings: OwnerSettings

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env)
    const db = drizzle(env.DB)
    const secrets = createSecretBox(env.MASTER_KEY, createKeyCheckStore(db))
    this.#settings = createOwnerSettings(db, { clock: this.#runtime, secrets })
  }

  async releases(): Promise<Result<CheckedReleases, ServiceFault>> {
    const { value } = await this.#settings.read('updates')
    if (value.repository === '') return failWith({ kind: 'not_set_up' })
    const proxy = await readProxy(this.#settings)
    return proxy.ok ? this.#releases.read(releaseListAddress(value), proxy.value) : proxy
  }
}
