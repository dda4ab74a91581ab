/** A data folder of a test's own, gone after it, with every process that was started on it. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { quickFolder } from './memory-folder.ts'
import type { HostProcess } from './process-host.ts'

export async function makeDataFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(quickFolder(), 'wharf-data-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  return folder
}

/** Ends the host at the end of the test, also when the test failed in between. */
export function endAfterTest(host: HostProcess): HostProcess {
  onTestFinished(async () => {
    host.child.kill('SIGKILL')
    await host.exit
  })
  return host
}
