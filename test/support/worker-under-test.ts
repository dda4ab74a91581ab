/** The whole Worker, hosted as on the owner's machine, with the owner signed in and a token for each need. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startWorkerHost } from '../../local/workerd/worker-host.ts'
import { appPrefix, consolePrefix } from '../../workers/app/app.ts'
import { consoleRouteDeclarations } from '../../workers/app/contract/console.ts'
import type { RouteDeclaration } from '../../workers/app/contract/route.ts'
import { wireFailure } from '../../workers/app/contract/route.ts'
import { appRouteDeclarations } from '../../workers/app/contract/routes.ts'
import type { DownloaderSettings } from '../../workers/app/core/downloader.ts'

export interface HostedAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into many shapes, each already parsed by its contract
  readonly body: any
  /** As it came, for scans. */
  readonly text: string
}

export interface WorkerUnderTest {
  readonly address: string
  /** Everything the Worker logged. */
  readonly logged: readonly string[]
  readonly tokenHeaders: Readonly<Record<string, string>>
  /** Calls the App API with a token that may do everything. */
  app(method: string, path: string, body?: unknown): Promise<HostedAnswer>
  /** Calls the console's endpoints as the signed-in owner. */
  console(method: string, path: string, body?: unknown): Promise<HostedAnswer>
  /** Stores a downloader and gives back its id. */
  addDownloader(name: string, settings: DownloaderSettings, change?: Readonly<Record<string, unknown>>): Promise<number>
  close(): Promise<void>
}

const password = 'a password of this test'

export async function startWorker(): Promise<WorkerUnderTest> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'wharf-worker-'))
  const logged: string[] = []
  const host = await startWorkerHost({
    dataFolder,
    port: 0,
    extraHosts: [],
    isNewSetupLinkAsked: false,
    isNewMasterKeyAsked: false,
    configFile: path.join(import.meta.dirname, '../../wrangler.toml'),
    variables: {},
    log: (line) => logged.push(line),
  })
  if (!host.ok) throw new Error(host.failure)
  const { address, setupLink } = host.value

  async function send(
    prefix: string,
    routes: readonly RouteDeclaration[],
    method: string,
    asked: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
  ): Promise<HostedAnswer & { readonly headers: Headers }> {
    const response = await fetch(`${address}${prefix}${asked}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const parsed: unknown = JSON.parse(text)
    const pathname = asked.split('?')[0] ?? asked
    const route = routes.find(
      (one) =>
        one.method === method.toLowerCase() &&
        new RegExp(`^${one.path.replace(/\{[a-z_]+\}/g, '[^/]+')}$`).test(pathname),
    )
    const schema = response.ok ? route?.answers[response.status] : wireFailure
    if (schema === undefined || schema === 'image') throw new Error(`${method} ${asked}: ${response.status} ${text}`)
    schema.parse(parsed)
    return { status: response.status, body: parsed, text, headers: response.headers }
  }

  const code = new URLSearchParams(new URL(setupLink ?? '').hash.split('?')[1]).get('code')
  const signedIn = await send(
    consolePrefix,
    consoleRouteDeclarations,
    'POST',
    '/setup',
    { origin: address },
    {
      code,
      password,
    },
  )
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const askConsole = (method: string, asked: string, body?: unknown) =>
    send(consolePrefix, consoleRouteDeclarations, method, asked, { cookie, origin: address }, body)
  const token = await askConsole('POST', '/tokens', {
    name: 'test',
    scopes: ['app:read', 'app:write'],
    lifetime: '30d',
  })
  const tokenHeaders = { authorization: `Bearer ${token.body.text}` }

  return {
    address,
    logged,
    tokenHeaders,
    app: (method, asked, body) => send(appPrefix, appRouteDeclarations, method, asked, tokenHeaders, body),
    console: askConsole,
    async addDownloader(name, settings, change = {}) {
      const added = await askConsole('POST', '/downloaders', {
        name,
        type: settings.kind,
        address: settings.baseUrl,
        username: settings.username,
        password: settings.password,
        enabled: true,
        default: false,
        ...change,
      })
      if (added.status !== 200) throw new Error(added.text)
      return Number(added.body.id)
    },
    async close() {
      await host.value.close()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}
