import type { Logger } from '../../ports/runtime.ts'
import type { OwnerLocale, OwnerLocaleReader } from '../../ports/settings.ts'

/** Of the documents, whose error messages are Chinese and whose times count in UTC. */
const documented: OwnerLocale = { timeZone: 'UTC', language: 'zh' }

/** Never rejects: while the owner's choice cannot be read, what waits comes to its end in the language of the documents. */
export async function knownLocale(deps: {
  readonly locale: OwnerLocaleReader
  readonly logger: Logger
}): Promise<OwnerLocale> {
  try {
    return await deps.locale.read()
  } catch (cause) {
    deps.logger.error('owner_locale_unreadable', { cause })
    return documented
  }
}
