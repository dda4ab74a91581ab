/** The viewer's page over an index of its own, for all tests of a block. */
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { axeFindings, launchChromiumShell, type TestBrowser } from './chromium.ts'
import { openScreen, type Screen } from './viewer-screen.ts'
import { createProject, serve, type TestProject, type TestViewer } from './viewer-server.ts'

export interface ViewerPage {
  browser: TestBrowser
  project: TestProject
  viewer: TestViewer
  open(options?: BrowserContextOptions): Promise<Screen>
}

/** What it has is there once the tests of the block run. `prepare`: what happens to the files before they are indexed. */
export function viewerPage(
  sources: Readonly<Record<string, string>>,
  prepare: (project: TestProject) => void = () => {},
): ViewerPage {
  const its = {
    open: (options?: BrowserContextOptions) => openScreen(its.browser, its.viewer.running.address, options),
  } as ViewerPage
  beforeAll(async () => {
    its.browser = await launchChromiumShell()
    its.project = createProject(sources)
    prepare(its.project)
    await its.project.sync()
    its.viewer = await serve(its.project.place)
  }, 60_000)
  afterAll(async () => {
    await its.browser?.close()
    await its.viewer?.running.close()
    its.project?.dispose()
  })
  return its
}

/** What went wrong on a screen, and what those who do not see it would miss: nothing, as it should be. */
export async function faultsOn(screen: Screen): Promise<string[]> {
  return [...(await screen.troubles()), ...(await axeFindings(screen.page))]
}
