import type { SiteSettings } from '../../core/site.ts'
import { GazelleDriver } from './gazelle/gazelle.ts'
import { judgedDriver } from './judged-driver.ts'
import { MteamDriver } from './mteam/mteam.ts'
import { NexusphpDriver } from './nexusphp/nexusphp.ts'
import type { SiteDriver, SiteRuntime } from './site-driver.ts'
import { SiteHttp } from './site-http.ts'
import { TorznabDriver } from './torznab/torznab.ts'
import { Unit3dDriver } from './unit3d/unit3d.ts'

/** The one place that knows every site kind. */
export function createSiteDriver(settings: SiteSettings, runtime: SiteRuntime): SiteDriver {
  return judgedDriver(driverOf(settings, runtime))
}

function driverOf(settings: SiteSettings, runtime: SiteRuntime): SiteDriver {
  const http = new SiteHttp(settings, runtime)
  switch (settings.kind) {
    case 'nexusphp':
      return new NexusphpDriver(settings, http, runtime)
    case 'mteam':
      return new MteamDriver(settings, http)
    case 'unit3d':
      return new Unit3dDriver(settings, http)
    case 'gazelle':
      return new GazelleDriver(settings, http)
    case 'torznab':
      return new TorznabDriver(settings, http)
  }
}
