/** The host of the Worker in the test's own process, and what a person does first on its page. */
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { startWorkerHost, type WorkerHost, type WorkerHostOptions } from '../../local/workerd/worker-host.ts'
import { quickFolder } from './memory-folder.ts'
import { runtimeUnderTest } from './process-host.ts'
import { unwrap } from './unwrap.ts'

export const ownerPassword = 'harbour lanterns at four'

export interface OwnHost extends WorkerHost {
  /** The lines it printed so far, the log of the Worker among them. */
  readonly said: readonly string[]
}

/** On a free port, with nothing set that has a default. */
export async function startPlainHost(dataFolder: string, more: Partial<WorkerHostOptions> = {}): Promise<WorkerHost> {
  const plain = { port: 0, extraHosts: [], publicUrls: [], trustedProxies: [], variables: {}, log: () => {} }
  return unwrap(
    await startWorkerHost({
      ...plain,
      dataFolder,
      isNewSetupLinkAsked: false,
      isNewMasterKeyAsked: false,
      configFile: path.resolve(import.meta.dirname, '../../wrangler.toml'),
      ...more,
    }),
  )
}

/** On the runtime under test, on a free port and a data folder of its own, which goes with it. */
export async function startOwnHost(
  variables: Readonly<Record<string, string>> = {},
  log?: (line: string) => void,
  more: Pick<Partial<WorkerHostOptions>, 'trustedProxies'> = {},
): Promise<OwnHost> {
  const dataFolder = mkdtempSync(path.join(quickFolder(), 'wharf-host-'))
  const said: string[] = []
  const started = await startPlainHost(dataFolder, {
    runtime: runtimeUnderTest,
    variables,
    ...more,
    log(line) {
      said.push(line)
      log?.(line)
    },
  })
  return {
    ...started,
    said,
    async close() {
      await started.close()
      rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Sets the owner's password at the printed link; ends where the page asks for a downloader. */
export async function setUpOwner(page: Page, link: string | undefined): Promise<void> {
  await page.goto(link ?? '')
  await page.getByLabel('Password', { exact: true }).fill(ownerPassword)
  await page.getByLabel('Password again').fill(ownerPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Add a downloader' }).waitFor()
}
