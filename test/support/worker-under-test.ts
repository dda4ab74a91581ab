/** The running service with the owner signed in, a token that may do everything, and the calls tests make most. */
import type { DownloaderSettings } from '../../workers/app/core/downloader.ts'
import type { consoleSite } from './console-site.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder, tokenOf, type WharfAnswer } from './running-wharf.ts'

export interface WorkerUnderTest {
  readonly address: string
  readonly pid: number
  readonly dataFolder: string
  /** Everything it printed, the log of the Worker among it. */
  said(): string
  readonly tokenHeaders: Readonly<Record<string, string>>
  readonly ownerHeaders: Readonly<Record<string, string>>
  /** Calls the App API with a token that may do everything. */
  app(method: string, path: string, body?: unknown): Promise<WharfAnswer>
  /** Calls the console's endpoints as the signed-in owner. */
  console(method: string, path: string, body?: unknown): Promise<WharfAnswer>
  /** Stores a downloader and gives back its id. */
  addDownloader(name: string, settings: DownloaderSettings, change?: Readonly<Record<string, unknown>>): Promise<number>
  /** Stores a site as the console's form would (`consoleSite`). */
  addSite(site: ReturnType<typeof consoleSite>): Promise<void>
  close(): Promise<void>
}

/** The first ones of all its sites are read in the background; who measures something else waits for them. */
export async function statisticsAreRead(worker: Pick<WorkerUnderTest, 'console'>): Promise<void> {
  for (;;) {
    const { items } = (await worker.console('GET', '/jobs')).body
    const isOpen = items.some(
      (job: { job: string; last_ok?: boolean }) => job.job === 'statistics' && job.last_ok === undefined,
    )
    if (!isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

export async function startWorker(
  variables: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<WorkerUnderTest> {
  const folder = temporaryFolder()
  const wharf: RunningWharf = await startWharf(folder.path, flags, variables)
  const owner = await ownerOf(wharf)
  const tokenHeaders = await tokenOf(wharf, owner, ['app:read', 'app:write'])
  const askConsole = (method: string, path: string, body?: unknown) =>
    wharf.request(method, `/api/console/v1${path}`, owner, body)
  async function store(path: string, body: unknown): Promise<WharfAnswer> {
    const added = await askConsole('POST', path, body)
    if (added.status !== 200) throw new Error(added.text)
    return added
  }
  return {
    address: wharf.origin,
    pid: wharf.pid,
    dataFolder: wharf.dataFolder,
    said: wharf.said,
    tokenHeaders,
    ownerHeaders: owner,
    app: (method, path, body) => wharf.request(method, `/api/app/v1${path}`, tokenHeaders, body),
    console: askConsole,
    async addDownloader(name, { kind, baseUrl, username, password }, change = {}) {
      const settings = { name, type: kind, address: baseUrl, username, password, enabled: true, default: false }
      return Number((await store('/downloaders', { ...settings, ...change })).body.id)
    },
    async addSite(site) {
      await store('/sites', site)
    },
    async close() {
      await wharf.stop()
      folder.remove()
    },
  }
}
