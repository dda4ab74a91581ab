import { DurableObject } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { failWith, type Result } from '#shared/kernel/result.ts'
import { readMetadataAccess, readProxy } from '../adapters/catalogue/catalogue-settings.ts'
import { PacedProvider } from '../adapters/catalogue/paced-provider.ts'
import { ProviderImages } from '../adapters/catalogue/provider-images.ts'
import { type CheckedReleases, ReleaseList } from '../adapters/catalogue/release-list.ts'
import { TitleBook } from '../adapters/catalogue/title-book.ts'
import { TitleLists } from '../adapters/catalogue/title-lists.ts'
import { createKeyCheckStore } from '../adapters/d1/key-check.ts'
import { createOwnerSettings } from '../adapters/d1/owner-settings.ts'
import { createSecretBox } from '../adapters/secret-box.ts'
import { siteRuntimeOf } from '../adapters/site-runtime.ts'
import type { DetailWish, TitleDetails } from '../core/media/title-details.ts'
import { metadataAddresses } from '../core/metadata-provider.ts'
import { releaseListAddress } from '../core/release.ts'
import type { ServiceFault } from '../core/service-fault.ts'
import type { TitlePage, TitleWish } from '../core/title.ts'
import type { ImageSize } from '../core/vocabulary.ts'
import type { OwnerSettings, Picture } from '../ports.ts'

/**
 * The only door to what others publish for everybody: titles, their images and the list of releases. They are asked
 * here once for all callers, at one pace and with one set of slots, and what they said is kept here.
 */
export class CatalogueObject extends DurableObject<Cloudflare.Env> {
  readonly #runtime = siteRuntimeOf(this.env)
  readonly #releases = new ReleaseList(this.ctx.storage.sql, this.#runtime)
  readonly #provider = new PacedProvider(this.#runtime)
  readonly #titles = new TitleLists(this.ctx.storage.sql, this.#provider)
  readonly #details = new TitleBook(this.ctx.storage.sql, this.#provider)
  readonly #images = new ProviderImages(this.ctx.storage.sql, this.#runtime)
  readonly #settings: OwnerSettings

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env)
    const db = drizzle(env.DB)
    const secrets = createSecretBox(env.MASTER_KEY, createKeyCheckStore(db))
    this.#settings = createOwnerSettings(db, { clock: this.#runtime, secrets })
  }

  async titles(wish: TitleWish): Promise<Result<TitlePage, ServiceFault>> {
    const access = await readMetadataAccess(this.#settings)
    return access.ok ? this.#titles.read(access.value, wish) : access
  }

  async details(wish: DetailWish): Promise<Result<TitleDetails, ServiceFault>> {
    const access = await readMetadataAccess(this.#settings)
    return access.ok ? this.#details.read(access.value, wish) : access
  }

  async image(size: ImageSize, file: string): Promise<Result<Picture, ServiceFault>> {
    const [{ value }, proxy] = await Promise.all([this.#settings.read('metadata'), readProxy(this.#settings)])
    return proxy.ok ? this.#images.read(`${metadataAddresses(value).images}/${size}/${file}`, proxy.value) : proxy
  }

  async releases(): Promise<Result<CheckedReleases, ServiceFault>> {
    const { value } = await this.#settings.read('updates')
    if (value.repository === '') return failWith({ kind: 'not_set_up' })
    const proxy = await readProxy(this.#settings)
    return proxy.ok ? this.#releases.read(releaseListAddress(value), proxy.value) : proxy
  }
}
