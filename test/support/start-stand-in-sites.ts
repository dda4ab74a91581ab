/**
 * Starts stand-ins beside the tests that run in the Worker's runtime, which cannot listen themselves. Each says in its own
 * file which source it follows.
 */
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { startStandInBot } from './stand-in-bot.ts'
import { startStandInChannel } from './stand-in-channel.ts'
import { startStandInQbittorrent } from './stand-in-downloaders.ts'
import { startStandInLists } from './stand-in-lists.ts'
import { startStandInModel } from './stand-in-model.ts'
import { startStandInProxy } from './stand-in-proxy.ts'
import { startStandInPushService } from './stand-in-push-service.ts'
import { startStandInReseedService } from './stand-in-reseed-service.ts'
import { startStandInServices } from './stand-in-services.ts'
import { standInFreeUntilUnix, startStandInSites } from './stand-in-sites.ts'

/** Files run beside one another, and each counts what came to its own downloader. */
const usersOfDownloaders = [
  'push',
  'site-proxy',
  'planted-secrets',
  'told-news',
  'assistant',
  'devices',
  'restart',
  'recorded',
  'searches',
  'brush',
  'feeds',
  'feed-gates',
  'chats',
] as const

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [sites, proxy, services, channel, bot, lists, reseeding, pushService, model, ...downloaders] =
    await Promise.all([
      startStandInSites(),
      startStandInProxy(),
      startStandInServices(),
      startStandInChannel(),
      startStandInBot(),
      startStandInLists(),
      startStandInReseedService(),
      startStandInPushService(),
      startStandInModel(),
      ...usersOfDownloaders.map(() => startStandInQbittorrent('5.1')),
    ])
  project.provide('standInSites', sites.origin)
  project.provide('standInFreeUntilUnix', standInFreeUntilUnix)
  project.provide('standInChannel', channel.origin)
  project.provide('standInBot', bot.origin)
  project.provide('standInLists', lists.origin)
  project.provide('standInReseedService', reseeding.origin)
  project.provide('standInPushService', pushService.origin)
  project.provide('standInModel', model.origin)
  project.provide('standInProxy', { host: proxy.host, address: proxy.address })
  project.provide('standInServices', { origin: services.origin, canary: services.canary })
  const settings = downloaders.map(({ settings: { baseUrl, username, password } }) => ({ baseUrl, username, password }))
  project.provide(
    'standInDownloaders',
    Object.fromEntries(
      usersOfDownloaders.map((user, at) => [user, settings[at]]),
    ) as ProvidedContext['standInDownloaders'],
  )
  return async () => {
    const servers = [sites, proxy, services, channel, bot, lists, reseeding, pushService, model]
    await Promise.all([...servers.map((one) => one.stop()), ...downloaders.map((one) => one.dispose())])
  }
}
