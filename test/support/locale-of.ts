import type { OwnerLocaleReader } from '../../workers/app/ports.ts'

/** An owner who never moves. */
export function localeOf(timeZone: string): OwnerLocaleReader {
  return { read: async () => ({ timeZone }), forget: () => undefined }
}
