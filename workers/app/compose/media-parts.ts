import { drizzle } from 'drizzle-orm/d1'
import type { Clock } from '#shared/kernel/clock.ts'
import { createCatalogue } from '../adapters/catalogue/catalogue.ts'
import { createLibraries } from '../adapters/d1/libraries.ts'
import { createLibraryFacts } from '../adapters/d1/library-facts.ts'
import { createMediaHistory, type MediaHistoryBook } from '../adapters/d1/media-history.ts'
import { createOwnerSettings } from '../adapters/d1/owner-settings.ts'
import { createQualityProfiles } from '../adapters/d1/quality-profiles.ts'
import { createSubscriptions } from '../adapters/d1/subscriptions.ts'
import { createTitleStandings } from '../adapters/d1/title-standings.ts'
import { createOwnerLocale } from '../adapters/owner-locale.ts'
import { type OutgoingSide, siteRuntimeOf } from '../adapters/site-runtime.ts'
import type { CatalogueHost } from '../objects/catalogue-object.ts'
import type { Catalogue } from '../ports/catalogue.ts'
import type { Libraries, LibraryFacts } from '../ports/library.ts'
import type { Logger } from '../ports/runtime.ts'
import type { SecretBox } from '../ports/secrets.ts'
import type { OwnerLocaleReader, OwnerSettings } from '../ports/settings.ts'
import type { QualityProfiles, Subscriptions, TitleStandings } from '../ports/subscriptions.ts'

export interface MediaParts {
  readonly settings: OwnerSettings
  readonly locale: OwnerLocaleReader
  readonly catalogue: Catalogue
  readonly library: LibraryFacts
  readonly libraries: Libraries
  readonly mediaHistory: MediaHistoryBook
  readonly titleStandings: TitleStandings
  readonly subscriptions: Subscriptions
  readonly qualityProfiles: QualityProfiles
}

/** What belongs to films and series, for those who answer requests and for the service's own clock alike. */
export function createMediaParts(
  env: Pick<Cloudflare.Env, 'DB' | 'CATALOGUE'> & OutgoingSide,
  deps: {
    readonly clock: Clock
    readonly logger: Logger
    readonly secrets: SecretBox
    /** Where the owner chose none. */
    readonly timeZone: string
    readonly wake: () => Promise<void>
  },
): MediaParts {
  const { clock, logger, secrets, timeZone, wake } = deps
  const db = drizzle(env.DB)
  const settings = createOwnerSettings(db, { clock, secrets })
  const library = createLibraryFacts(db)
  const locale = createOwnerLocale({ clock, settings, timeZone })
  return {
    settings,
    locale,
    // The generated types know the object's class by name only.
    catalogue: createCatalogue(env.CATALOGUE as DurableObjectNamespace<CatalogueHost>, {
      logger,
      settings,
      runtime: siteRuntimeOf(env),
    }),
    library,
    libraries: createLibraries(db, clock),
    mediaHistory: createMediaHistory(db, { clock, wake }),
    titleStandings: createTitleStandings(db, library),
    subscriptions: createSubscriptions(db, { clock, locale, library, wake }),
    qualityProfiles: createQualityProfiles(db, clock, locale),
  }
}
