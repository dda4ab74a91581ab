import { knownNumber, type SiteUser } from './site-figures.ts'

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

/** Of what is known: absent and doubtful figures are left out, and a ratio takes the sites that tell both its sides. */
export function sumUsers(users: readonly SiteUser[]): SiteTotals {
  const sum = (name: Parameters<typeof knownNumber>[1], list = users) =>
    list.reduce((total, user) => total + (knownNumber(user, name) ?? 0), 0)
  const bothSides = users.filter(
    (user) => knownNumber(user, 'uploaded') !== undefined && knownNumber(user, 'downloaded') !== undefined,
  )
  const billedBytes = sum('downloaded', bothSides)
  return {
    uploadedBytes: sum('uploaded'),
    downloadedBytes: sum('downloaded'),
    ratio: billedBytes === 0 ? 0 : sum('uploaded', bothSides) / billedBytes,
    seeding: sum('seeding'),
    leeching: sum('leeching'),
    bonus: sum('bonus'),
    bonusPerHour: sum('bonus_per_hour'),
    seedingSizeBytes: sum('seeding_size'),
    unreadMessages: sum('unread_messages'),
  }
}
