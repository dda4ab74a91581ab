/** What of the console is there for tokens that may configure, under `/api/settings/v1`: the same requests and answers. */
import { applyConfiguration } from './configuration.ts'
import { consoleRouteDeclarations } from './console.ts'
import type { RouteDeclaration } from './route.ts'

/** By operation, in the words of the document. Nothing about who may come in: passwords, tokens, devices, keys. */
const offered: Readonly<Record<string, string>> = {
  listConsoleDownloaders: 'Downloaders',
  addDownloader: 'Add a downloader',
  changeDownloader: 'Change a downloader; a password that is left out stays',
  removeDownloader: 'Remove a downloader',
  testDownloader: 'Whether a downloader answers',
  listSiteDefinitions: 'Ready-made definitions of sites',
  listConsoleSites: 'Sites',
  addSite: 'Add a site',
  changeSite: 'Change a site; credentials that are left out stay',
  removeSite: 'Remove a site and its history',
  testSite: 'What a site tells of its account',
  refreshSite: 'Read the figures of a site soon',
  listOwnDefinitions: 'The owner’s definitions of sites',
  addOwnDefinition: 'Add a definition',
  reloadOwnDefinition: 'Read a definition again from its address',
  removeOwnDefinition: 'Remove a definition',
  listChannels: 'Notification channels',
  addChannel: 'Add a channel',
  changeChannel: 'Change a channel; what is left out of its place stays',
  removeChannel: 'Remove a channel and what waits for it',
  testChannel: 'Send a test message',
  listLibraries: 'Libraries',
  addLibrary: 'Add a library',
  changeLibrary: 'Change a library',
  removeLibrary: 'Remove a library; files stay',
  listFeeds: 'Feeds',
  addFeed: 'Add a feed',
  changeFeed: 'Change a feed',
  removeFeed: 'Remove a feed',
  runFeed: 'Read a feed soon',
  listRules: 'Filter rules',
  addRule: 'Add a filter rule',
  changeRule: 'Change a filter rule',
  removeRule: 'Remove a filter rule',
  orderRules: 'Order the filter rules',
  tryRules: 'What the filter rules make of titles',
  listEndRules: 'Rules about the ends of torrents',
  addEndRule: 'Add a rule about the ends of torrents',
  changeEndRule: 'Change a rule about the ends of torrents',
  removeEndRule: 'Remove a rule about the ends of torrents',
  orderEndRules: 'Order the rules about the ends of torrents',
  setEndMode: 'Whether torrents are ended by the rules, or only shown',
  listConsoleBrushTasks: 'Brush tasks',
  addBrushTask: 'Add a brush task',
  changeBrushTask: 'Change a brush task',
  removeBrushTask: 'Remove a brush task',
  listQualityProfiles: 'Quality profiles',
  addQualityProfile: 'Add a quality profile',
  changeQualityProfile: 'Change a quality profile',
  removeQualityProfile: 'Remove a quality profile',
  getMetadataSettings: 'The metadata provider',
  changeMetadataSettings: 'Change the metadata provider',
  getLocaleSettings: 'Time zone and language',
  changeLocaleSettings: 'Change time zone and language',
  getFreeEndSettings: 'What is done when a free period ends',
  changeFreeEndSettings: 'Change what is done when a free period ends',
  getUpdateSettings: 'Whose releases are looked at',
  changeUpdateSettings: 'Change whose releases are looked at',
  getProxySettings: 'The proxy to services on the internet',
  changeProxySettings: 'Change the proxy',
}

export function settingFrom(route: RouteDeclaration): RouteDeclaration | undefined {
  const summary = offered[route.operationId]
  return summary === undefined ? undefined : { ...route, permission: 'configure', summary }
}

export const settingRouteDeclarations: readonly RouteDeclaration[] = [
  ...consoleRouteDeclarations.flatMap((route) => settingFrom(route) ?? []),
  applyConfiguration,
]
