import type { OwnerLanguage } from '../../core/vocabulary.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { OwnerLocaleReader } from '../../ports/settings.ts'

/** Never rejects: while the owner's choice cannot be read, what waits comes to its end in the language of the documents. */
export async function ownerLanguage(deps: {
  readonly locale: OwnerLocaleReader
  readonly logger: Logger
}): Promise<OwnerLanguage> {
  try {
    return (await deps.locale.read()).language
  } catch (cause) {
    deps.logger.error('owner_language_unreadable', { cause })
    return 'zh'
  }
}
