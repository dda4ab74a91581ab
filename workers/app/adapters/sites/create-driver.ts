import { failWith } from '#shared/kernel/result.ts'
import type { SiteSettings } from '../../core/site.ts'
import type { SiteFault } from '../../core/site-fault.ts'
import { CardigannDriver } from './cardigann/cardigann.ts'
import { keptDefinition } from './cardigann/definitions.ts'
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
    case 'cardigann': {
      const definition = settings.definition === undefined ? undefined : keptDefinition(settings.definition)
      if (definition === undefined) return failingDriver({ kind: 'no_definition' })
      return new CardigannDriver(definition, settings, http, runtime)
    }
  }
}

/** Of a site that cannot be spoken to at all. */
function failingDriver(fault: SiteFault): SiteDriver {
  const fail = async () => failWith(fault)
  return { probe: fail, read: fail, search: fail, signIn: fail, download: fail }
}
