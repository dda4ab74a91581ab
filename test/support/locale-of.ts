import type { OwnerLanguage } from '../../workers/app/core/vocabulary.ts'
import type { OwnerLocaleReader } from '../../workers/app/ports/settings.ts'

/** An owner who never moves. */
export function localeOf(timeZone: string, language: OwnerLanguage = 'zh'): OwnerLocaleReader {
  return { read: async () => ({ timeZone, language }), forget: () => undefined }
}
