/** Starts the stand-in sites beside the tests that run in the Worker's runtime, which cannot listen themselves. */
import type { TestProject } from 'vitest/node'
import { startStandInSites } from './stand-in-sites.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sites = await startStandInSites()
  project.provide('standInSites', sites.origin)
  return () => sites.stop()
}
