import { judgedUser } from '../../core/site-figures.ts'
import type { SiteDriver } from './site-driver.ts'

/** Marks as doubtful what cannot be as a driver read it, whichever kind it speaks to. */
export function judgedDriver(driver: SiteDriver): SiteDriver {
  const fixture = driver.fixture?.bind(driver)
  const messages = driver.messages?.bind(driver)
  const feedAddress = driver.feedAddress?.bind(driver)
  const findByPieces = driver.findByPieces?.bind(driver)
  return {
    probe: (signal) => driver.probe(signal),
    async read(signal) {
      const reading = await driver.read(signal)
      if (!reading.ok || reading.value.user === undefined) return reading
      return { ok: true, value: { ...reading.value, user: judgedUser(reading.value.user) } }
    },
    search: (query, signal) => driver.search(query, signal),
    ...(fixture === undefined ? {} : { fixture }),
    ...(messages === undefined ? {} : { messages }),
    ...(feedAddress === undefined ? {} : { feedAddress }),
    ...(findByPieces === undefined ? {} : { findByPieces }),
    signIn: (signal) => driver.signIn(signal),
    download: (torrentId, downloadKey, signal) => driver.download(torrentId, downloadKey, signal),
  }
}
