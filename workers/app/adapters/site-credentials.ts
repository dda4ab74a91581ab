import { z } from '@hono/zod-openapi'
import { type Result, succeed } from '#shared/kernel/result.ts'
import type { SiteCredentials } from '../core/site.ts'
import type { SecretBox } from '../ports/secrets.ts'

const shape = z.object({
  cookie: z.string(),
  apiKey: z.string(),
  proxy: z.string().exactOptional(),
  answers: z.record(z.string(), z.string()).exactOptional(),
})

/** Binds sealed credentials to their row, so that they open nowhere else. */
function credentialsContext(siteId: number): string {
  return `site:${siteId}:credentials`
}

export function sealCredentials(secrets: SecretBox, siteId: number, credentials: SiteCredentials): Promise<string> {
  return secrets.seal(JSON.stringify(credentials), credentialsContext(siteId))
}

export async function openCredentials(
  secrets: SecretBox,
  siteId: number,
  sealed: string,
): Promise<Result<SiteCredentials, 'missing' | 'changed'>> {
  if (sealed === '') return succeed({ cookie: '', apiKey: '' })
  const opened = await secrets.open(sealed, credentialsContext(siteId))
  return opened.ok ? succeed(shape.parse(JSON.parse(opened.value))) : opened
}
