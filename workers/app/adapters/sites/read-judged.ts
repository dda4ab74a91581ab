import type { Result } from '#shared/kernel/result.ts'
import type { SiteReading } from '../../core/site.ts'
import type { SiteFault } from '../../core/site-fault.ts'
import { judgedUser } from '../../core/site-figures.ts'
import type { SiteDriver } from './site-driver.ts'

/** The account, with what cannot be as it was read marked as doubtful. */
export async function readJudged(driver: SiteDriver, signal: AbortSignal): Promise<Result<SiteReading, SiteFault>> {
  const reading = await driver.read(signal)
  if (!reading.ok || reading.value.user === undefined) return reading
  return { ok: true, value: { ...reading.value, user: judgedUser(reading.value.user) } }
}
