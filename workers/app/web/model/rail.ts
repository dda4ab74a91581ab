/** The screens that the rail leads to, in their groups, and those that have a place in the bar of a phone. */
import type { Screen } from './hash-route.ts'

export const work: readonly Screen[] = [
  'overview',
  'sites',
  'torrents',
  'search',
  'tasks',
  'feeds',
  'brush',
  'ends',
  'reseed',
  'downloaders',
]
export const media: readonly Screen[] = ['subscriptions', 'library', 'explore']
export const system: readonly Screen[] = [
  'jobs',
  'templates',
  'channels',
  'assistant',
  'gateway',
  'tokens',
  'devices',
  'log',
  'backups',
  'settings',
]
export const tabs: readonly Screen[] = ['overview', 'torrents', 'search', 'subscriptions', 'more']
export const screensOfRail: readonly Screen[] = [...work, ...media, ...system]
export const beyondTabs: readonly Screen[] = screensOfRail.filter((screen) => !tabs.includes(screen))
