import type { SiteUser } from './site.ts'

export interface SiteTotals {
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  /** Uploaded to billed download over all; 0 when nothing was downloaded. */
  readonly ratio: number
  readonly seeding: number
  readonly leeching: number
  readonly bonus: number
  readonly bonusPerHour: number
  readonly seedingSizeBytes: number
  readonly unreadMessages: number
}

export function sumUsers(users: readonly SiteUser[]): SiteTotals {
  const sum = (figure: (user: SiteUser) => number | undefined) =>
    users.reduce((total, user) => total + (figure(user) ?? 0), 0)
  const uploadedBytes = sum((user) => user.uploadedBytes)
  const downloadedBytes = sum((user) => user.downloadedBytes)
  return {
    uploadedBytes,
    downloadedBytes,
    ratio: downloadedBytes === 0 ? 0 : uploadedBytes / downloadedBytes,
    seeding: sum((user) => user.seeding),
    leeching: sum((user) => user.leeching),
    bonus: sum((user) => user.bonus),
    bonusPerHour: sum((user) => user.bonusPerHour),
    seedingSizeBytes: sum((user) => user.seedingSizeBytes),
    unreadMessages: sum((user) => user.unreadMessages),
  }
}
