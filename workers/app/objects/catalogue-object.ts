import { DurableObject } from 'cloudflare:workers'
import { failWith, type Result } from '#shared/kernel/result.ts'
import type { MetadataAccess } from '../adapters/catalogue/metadata-provider.ts'
import type { ProviderImages } from '../adapters/catalogue/provider-images.ts'
import type { CheckedReleases, ReleaseList } from '../adapters/catalogue/release-list.ts'
import type { TitleDetailStore } from '../adapters/catalogue/title-detail-store.ts'
import type { TitleLists } from '../adapters/catalogue/title-lists.ts'
import type { TitleDetailQuery, TitleDetails } from '../core/media/title-details.ts'
import { metadataAddresses } from '../core/metadata-provider.ts'
import { releaseListAddress } from '../core/release.ts'
import type { ServiceFault } from '../core/service-fault.ts'
import type { Title, TitlePage, TitleQuery } from '../core/title.ts'
import type { ImageSize } from '../core/vocabulary.ts'
import type { Picture } from '../ports/catalogue.ts'
import type { OwnerSettings } from '../ports/settings.ts'

export interface CatalogueParts {
  readonly settings: Pick<OwnerSettings, 'read'>
  access(): Promise<Result<MetadataAccess, ServiceFault>>
  proxy(): Promise<Result<string | undefined, ServiceFault>>
  readonly releases: Pick<ReleaseList, 'read'>
  readonly titles: Pick<TitleLists, 'read'>
  readonly details: Pick<TitleDetailStore, 'read'>
  byImdb(access: MetadataAccess, imdbId: string): Promise<Result<readonly Title[], ServiceFault>>
  readonly images: Pick<ProviderImages, 'read'>
}

/**
 * The only door to what others publish for everybody: titles, their images and the list of releases. They are asked
 * here once for all callers, at one pace and with one set of slots, and what they said is kept here.
 */
export abstract class CatalogueHost extends DurableObject<Cloudflare.Env> {
  readonly #parts = this.compose()

  protected abstract compose(): CatalogueParts

  async titles(wish: TitleQuery): Promise<Result<TitlePage, ServiceFault>> {
    const access = await this.#parts.access()
    return access.ok ? this.#parts.titles.read(access.value, wish) : access
  }

  async details(wish: TitleDetailQuery): Promise<Result<TitleDetails, ServiceFault>> {
    const access = await this.#parts.access()
    return access.ok ? this.#parts.details.read(access.value, wish) : access
  }

  async byImdb(imdbId: string): Promise<Result<readonly Title[], ServiceFault>> {
    const access = await this.#parts.access()
    return access.ok ? this.#parts.byImdb(access.value, imdbId) : access
  }

  async image(size: ImageSize, file: string): Promise<Result<Picture, ServiceFault>> {
    const { settings, images } = this.#parts
    const [{ value }, proxy] = await Promise.all([settings.read('metadata'), this.#parts.proxy()])
    return proxy.ok ? images.read(`${metadataAddresses(value).images}/${size}/${file}`, proxy.value) : proxy
  }

  async releases(): Promise<Result<CheckedReleases, ServiceFault>> {
    const { settings, releases } = this.#parts
    const { value } = await settings.read('updates')
    if (value.repository === '') return failWith({ kind: 'not_set_up' })
    const proxy = await this.#parts.proxy()
    return proxy.ok ? releases.read(releaseListAddress(value), proxy.value) : proxy
  }
}
