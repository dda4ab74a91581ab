/** What each Durable Object is made of. */
import { drizzle } from 'drizzle-orm/d1'
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { readMetadataAccess, readProxy } from '../adapters/catalogue/catalogue-settings.ts'
import { fetchByImdb } from '../adapters/catalogue/metadata-provider.ts'
import { PacedProvider } from '../adapters/catalogue/paced-provider.ts'
import { ProviderImages } from '../adapters/catalogue/provider-images.ts'
import { ReleaseList } from '../adapters/catalogue/release-list.ts'
import { TitleDetailStore } from '../adapters/catalogue/title-detail-store.ts'
import { TitleLists } from '../adapters/catalogue/title-lists.ts'
import { passwordContext } from '../adapters/d1/downloaders.ts'
import { findBrought } from '../adapters/d1/own-definitions.ts'
import { createOwnerSettings } from '../adapters/d1/owner-settings.ts'
import { createDriver, LiveDownloader } from '../adapters/downloaders/live-downloader.ts'
import { FoundTorrents } from '../adapters/found-torrents.ts'
import { jsonLog } from '../adapters/json-log.ts'
import { openCredentials } from '../adapters/site-credentials.ts'
import { type OutgoingSide, siteRuntimeOf } from '../adapters/site-runtime.ts'
import { createSiteDriver } from '../adapters/sites/create-driver.ts'
import type { SiteRuntime } from '../adapters/sites/site-driver.ts'
import { fetchIcon } from '../adapters/sites/site-icon.ts'
import { workerRuntime } from '../adapters/worker-runtime.ts'
import { siteAbilities } from '../core/site.ts'
import { siteVisitMs } from '../limits.ts'
import type { CatalogueParts } from '../objects/catalogue-object.ts'
import type { DownloaderParts } from '../objects/downloader-object.ts'
import type { SchedulerParts } from '../objects/scheduler-object.ts'
import type { SiteParts } from '../objects/site-object.ts'
import type { Background } from '../ports/runtime.ts'
import { foreseePush } from '../services/pushes/foresee-push.ts'
import { PushLine } from '../services/pushes/push-line.ts'
import { pushTorrentOf } from '../services/pushes/push-torrent.ts'
import { createPushParts } from './push-parts.ts'
import { secretsOf } from './secrets.ts'
import { createServiceParts, type ServiceBindings } from './service-parts.ts'
import { type TelemetryBindings, telemetryOf } from './telemetry.ts'

const clock: Clock = { nowMs: () => Date.now() }

export function composeScheduler(
  env: ServiceBindings & TelemetryBindings & Pick<Cloudflare.Env, 'MASTER_KEY'>,
  background: Background,
): SchedulerParts {
  const telemetry = telemetryOf(env, { clock, logger: jsonLog, background })
  const partsFor = (wake: () => Promise<void>) =>
    createServiceParts(env, { clock, logger: jsonLog, telemetry, secrets: secretsOf(env), random: Math.random, wake })
  return {
    clock,
    logger: jsonLog,
    jobs: (wake) => partsFor(wake).jobs,
    announces: (wake) => partsFor(wake).announces,
  }
}

export function composeDownloader(env: Pick<Cloudflare.Env, 'DB' | 'MASTER_KEY'>): DownloaderParts {
  return {
    async connect({ id, kind, baseUrl, username, sealedPassword }) {
      const password =
        sealedPassword === '' ? succeed('') : await secretsOf(env).open(sealedPassword, passwordContext(id))
      if (!password.ok) return failWith({ kind: 'secrets', state: password.failure })
      const driver = createDriver({ kind, baseUrl, username, password: password.value }, workerRuntime)
      return succeed(new LiveDownloader(kind, driver, workerRuntime))
    },
  }
}

export function composeSite(
  env: Pick<Cloudflare.Env, 'DB' | 'MASTER_KEY' | 'DOWNLOADERS' | 'SCHEDULER'> & OutgoingSide,
): SiteParts {
  const runtime = siteRuntimeOf(env)
  const counted = (noteCall: () => void): SiteRuntime => ({
    ...runtime,
    // Once it is over, whatever came of it: a request that waited for the disk first would be later for a figure.
    fetch: (...call) => runtime.fetch(...call).finally(noteCall),
  })
  const { figures, ...pushing } = createPushParts(env, { clock: runtime, logger: jsonLog })
  return {
    clock: runtime,
    wait: runtime.wait,
    logger: jsonLog,
    figures,
    pushes: new PushLine(runtime),
    found: (storage, target) => new FoundTorrents(storage, secretsOf(env), target),
    push: (from, downloader, order) => pushTorrentOf({ ...pushing, ...from }, downloader, order),
    foresee: (from, downloader, wish) => foreseePush({ ...pushing, ...from }, downloader, wish),

    async connect({ id, kind, baseUrl, profile, sealedCredentials, definition }, noteCall) {
      const opened = await openCredentials(secretsOf(env), id, sealedCredentials)
      if (!opened.ok) return failWith({ kind: 'secrets', state: opened.failure })
      const { cookie, apiKey } = opened.value
      const wanted = siteAbilities[kind].credential
      const given = {
        cookie: cookie !== '',
        api_key: apiKey !== '',
        either: cookie !== '' || apiKey !== '',
        none: true,
      }
      if (!given[wanted]) return failWith({ kind: 'no_credentials' })
      const brought = definition === undefined ? undefined : await findBrought(drizzle(env.DB), definition)
      const settings = { kind, baseUrl, profile, credentials: opened.value }
      return succeed(
        createSiteDriver(
          brought === undefined ? settings : { ...settings, definition: brought.tree },
          counted(noteCall),
        ),
      )
    },

    async fetchIcon(target, noteCall) {
      const opened = await openCredentials(secretsOf(env), target.id, target.sealedCredentials)
      // Without knowing whether there is a proxy nothing may be asked.
      if (!opened.ok) return failWith({ kind: 'secrets', state: opened.failure })
      return succeed(await fetchIcon(target, opened.value.proxy, counted(noteCall), AbortSignal.timeout(siteVisitMs)))
    },
  }
}

export function composeCatalogue(
  env: Pick<Cloudflare.Env, 'DB' | 'MASTER_KEY'> & OutgoingSide,
  sql: SqlStorage,
): CatalogueParts {
  const runtime = siteRuntimeOf(env)
  const provider = new PacedProvider(runtime)
  const settings = createOwnerSettings(drizzle(env.DB), { clock: runtime, secrets: secretsOf(env) })
  return {
    settings,
    access: () => readMetadataAccess(settings),
    proxy: () => readProxy(settings),
    releases: new ReleaseList(sql, runtime),
    titles: new TitleLists(sql, provider),
    details: new TitleDetailStore(sql, provider),
    byImdb: (access, imdbId) =>
      provider.ask(access, provider.endMs(), (asked, limitMs) => fetchByImdb(asked, access, imdbId, limitMs)),
    images: new ProviderImages(sql, runtime),
  }
}
