/** Starts stand-ins beside the tests that run in the Worker's runtime, which cannot listen themselves. */
import type { TestProject } from 'vitest/node'
import { startStandInQbittorrent } from './stand-in-downloaders.ts'
import { startStandInProxy } from './stand-in-proxy.ts'
import { startStandInSites } from './stand-in-sites.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [sites, proxy, downloader] = await Promise.all([
    startStandInSites(),
    startStandInProxy(),
    startStandInQbittorrent('5.1'),
  ])
  project.provide('standInSites', sites.origin)
  project.provide('standInProxy', { host: proxy.host, address: proxy.address })
  const { baseUrl, username, password } = downloader.settings
  project.provide('standInDownloader', { baseUrl, username, password })
  return async () => {
    await Promise.all([sites.stop(), proxy.stop(), downloader.dispose()])
  }
}
