/** Starts stand-ins beside the tests that run in the Worker's runtime, which cannot listen themselves. */
import type { TestProject } from 'vitest/node'
import { startStandInQbittorrent } from './stand-in-downloaders.ts'
import { startStandInSites } from './stand-in-sites.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [sites, downloader] = await Promise.all([startStandInSites(), startStandInQbittorrent('5.1')])
  project.provide('standInSites', sites.origin)
  const { baseUrl, username, password } = downloader.settings
  project.provide('standInDownloader', { baseUrl, username, password })
  return async () => {
    await Promise.all([sites.stop(), downloader.dispose()])
  }
}
