/**
 * `none`: the site has nothing of it. `other`: it has, of other files. `unanswered`: it did not say, to this question at
 * least. `told`: it is said to have it, and its file is yet to be compared. `present`: it is in the downloader. `adding`, `checking`: it is about to be seeded. `failed`: it was taken out again.
 */
export const reseedStates = [
  'none',
  'other',
  'unanswered',
  'told',
  'present',
  'adding',
  'checking',
  'seeding',
  'failed',
] as const
export type ReseedState = (typeof reseedStates)[number]

/**
 * How a torrent was looked for on a site: by the hash of its pieces, which the site keeps, by its info hash, of which a service
 * knows where else the same is, or by its name and size.
 */
export const reseedWays = ['pieces', 'service', 'name'] as const
export type ReseedWay = (typeof reseedWays)[number]
