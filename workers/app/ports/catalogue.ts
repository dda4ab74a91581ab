import type { Result } from '#shared/kernel/result.ts'
import type { TitleDetailQuery, TitleDetails } from '../core/media/title-details.ts'
import type { Release } from '../core/release.ts'
import type { ServiceFault } from '../core/service-fault.ts'
import type { Title, TitlePage, TitleQuery } from '../core/title.ts'
import type { ImageSize } from '../core/vocabulary.ts'

/** An image that was judged by its bytes. */
export interface Picture {
  readonly bytes: Uint8Array
  readonly type: string
  readonly etag: string
}

/** What others publish for everybody. Faults of the outside arrive as values, never as a rejection. */
export interface Catalogue {
  titles(wish: TitleQuery): Promise<Result<TitlePage, ServiceFault>>
  /** `not_found` for a title that the provider does not have, and for a season that it does not. */
  details(wish: TitleDetailQuery): Promise<Result<TitleDetails, ServiceFault>>
  /** Titles that go by an id of IMDb: one, where the provider knows it. */
  byImdb(imdbId: string): Promise<Result<readonly Title[], ServiceFault>>
  image(size: ImageSize, file: string): Promise<Result<Picture, ServiceFault>>
  /** Tries a key that is not stored yet. */
  tryMetadataKey(apiUrl: string, key: string): Promise<Result<void, ServiceFault>>
  /** As last looked at: at most a day ago, or longer while the list cannot be read. */
  releases(): Promise<Result<{ readonly checkedAtUnix: number; readonly releases: readonly Release[] }, ServiceFault>>
}
