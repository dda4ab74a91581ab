/** Hosts the Worker script on this machine: the runtime, its data folder, its secrets and its supervision. */

import type { ChildProcess } from 'node:child_process'
import { hash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { convertV4MiniflareOptions, type Json, Miniflare } from 'miniflare'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { isWithin, type Network, parseIpAddress } from '../../workers/app/core/ip-address.ts'
import {
  keyNameOf,
  keyNameSource,
  type LostSecret,
  lostQueries,
  sealedStart,
} from '../../workers/app/core/sealed-text.ts'
import { readRoutePrefix } from '../../workers/gateway/settings.ts'
import { type ClientConnections, takeClients } from './client-connections.ts'
import { openDataFolder } from './data-folder.ts'
import { applyMigrations } from './database-migrations.ts'
import { freePort } from './free-port.ts'
import { type GuardChild, guardProcess } from './guard-child.ts'
import { dataFolderSetting, type HostLock, takeHostLock } from './host-lock.ts'
import {
  runtimeFirstHeapMebibytes,
  runtimeHeapMebibytesMax,
  runtimeRestartsMax,
  runtimeRestartWaitMs,
  runtimeRestartWindowMs,
  runtimeSemiSpaceMebibytesMax,
  secretSettingCharactersMin,
} from './limits.ts'
import { toLogLine } from './log-lines.ts'
import { forwardThroughProxy } from './outgoing-proxy.ts'
import { identifyProcess } from './process-identity.ts'
import {
  type HostSecrets,
  makeCode,
  makeMasterKey,
  makeSecrets,
  readSecrets,
  secretsPath,
  writeSecrets,
} from './secrets-file.ts'
import { loadWorkerScript, type WorkerScript } from './worker-script.ts'

export interface WorkerHostOptions {
  readonly dataFolder: string
  /** 0 means any free one. */
  readonly port: number
  readonly extraHosts: readonly string[]
  /** Where browsers find this service from outside; the first one is for printed links. */
  readonly publicOrigins: readonly string[]
  /** Whose word about callers counts. */
  readonly trustedProxies: readonly Network[]
  readonly isNewSetupLinkAsked: boolean
  readonly isNewMasterKeyAsked: boolean
  /** The wrangler.toml of the script to host. */
  readonly configFile: string
  /** Settings of the script that are not secrets of this machine: the gateway's, from the environment. */
  readonly variables: Readonly<Record<string, string>>
  readonly log: (line: string) => void
}

export interface WorkerHost {
  readonly address: string
  readonly dataFolder: string
  /** Present while the owner has no password yet, or when a new one was asked for. */
  readonly setupLink: string | undefined
  /** What clients of the gateway sign in with; undefined when the settings name a store that holds it. */
  readonly gatewayKey: string | undefined
  /** Whether this start made it. */
  readonly isGatewayKeyNew: boolean
  /** Settles with the reason when the runtime cannot be kept running. */
  readonly gaveUp: Promise<string>
  close(): Promise<void>
}

export async function startWorkerHost(options: WorkerHostOptions): Promise<Result<WorkerHost, string>> {
  const folder = openDataFolder(options.dataFolder)
  if (!folder.ok) return folder
  const lock = await takeHostLock({ dataFolder: folder.value, log: options.log })
  if (!lock.ok) return lock
  const started = await startLocked(options, folder.value, lock.value)
  if (!started.ok) lock.value.release()
  return started
}

async function startLocked(
  options: WorkerHostOptions,
  dataFolder: string,
  lock: HostLock,
): Promise<Result<WorkerHost, string>> {
  const clients = await takeClients(options.port)
  if (!clients.ok) {
    const why = clients.failure === 'busy' ? 'is in use' : 'needs more rights'
    return failWith(`Port ${options.port} ${why}; choose another with --port (0 takes any free one)`)
  }
  const started = await startBehind(clients.value, options, dataFolder, lock)
  if (!started.ok) await clients.value.close()
  return started
}

async function startBehind(
  clients: ClientConnections,
  options: WorkerHostOptions,
  dataFolder: string,
  lock: HostLock,
): Promise<Result<WorkerHost, string>> {
  const address = `http://127.0.0.1:${clients.port}`
  const kept = readSecrets(dataFolder)
  if (!kept.ok) return kept
  const loaded = await loadWorkerScript({
    configFile: options.configFile,
    cacheFolder: path.join(dataFolder, 'cache'),
    log: options.log,
  })
  if (!loaded.ok) return loaded
  const secrets = settleSecrets(kept.value, options)

  const runtimePort = await freePort()
  const proxyPort = options.trustedProxies.length === 0 ? undefined : await freePort()
  const runtime = startRuntime({
    ...options,
    dataFolder,
    address,
    port: clients.port,
    runtimePort,
    proxyPort,
    lock,
    secrets,
    script: loaded.value,
  })
  const prepared = await prepare(options, runtime, loaded.value, kept.value, secrets.MASTER_KEY)
  if (!prepared.ok) {
    await runtime.close()
    return prepared
  }
  if (secrets !== kept.value) writeSecrets(dataFolder, secrets)
  runtime.supervise()
  clients.leadTo((peer) => (isProxy(peer, options.trustedProxies) ? (proxyPort ?? runtimePort) : runtimePort))
  lock.record(runtime.identity(), address)
  const isLinkDue = options.isNewSetupLinkAsked || !prepared.value.hasOwner
  return succeed({
    address,
    dataFolder,
    setupLink: isLinkDue ? `${options.publicOrigins[0] ?? address}/#/setup?code=${secrets.SETUP_CODE}` : undefined,
    gatewayKey: keyInUse(options.variables, secrets),
    isGatewayKeyNew: kept.value === undefined && keyInUse(options.variables, secrets) === secrets.API_KEY,
    gaveUp: runtime.gaveUp,
    async close() {
      await Promise.all([clients.close(), runtime.close()])
      lock.release()
    },
  })
}

function isProxy(peer: string, proxies: readonly Network[]): boolean {
  const address = parseIpAddress(peer)
  return address !== undefined && proxies.some((proxy) => isWithin(address, proxy))
}

/** The gateway may lie outside the paths that the script has before the pages anyway. */
function gatewayPaths(variables: Readonly<Record<string, string>>): string[] {
  const prefix = readRoutePrefix(variables, [])
  return prefix.ok ? [`${prefix.value}/`] : []
}

function keyInUse(variables: Readonly<Record<string, string>>, secrets: HostSecrets): string | undefined {
  const set = (name: string) => variables[name] ?? variables[`APP_${name}`]
  if (set('API_KEY_PARAM_NAME') !== undefined || set('API_KEY_SECRET_ARN') !== undefined) return undefined
  return set('API_KEY') ?? secrets.API_KEY
}

/** Values that must not show in the log, judged by the names of their settings; short ones would blank ordinary text. */
function secretsAmong(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables)
    .filter(([name, value]) => /KEY|SECRET|TOKEN|PASSWORD/.test(name) && value.length >= secretSettingCharactersMin)
    .map(([, value]) => value)
}

function settleSecrets(kept: HostSecrets | undefined, options: WorkerHostOptions): HostSecrets {
  if (kept === undefined) return makeSecrets()
  if (!options.isNewSetupLinkAsked && !options.isNewMasterKeyAsked) return kept
  return {
    ...kept,
    ...(options.isNewSetupLinkAsked ? { SETUP_CODE: makeCode() } : {}),
    ...(options.isNewMasterKeyAsked ? { MASTER_KEY: makeMasterKey() } : {}),
  }
}

interface Prepared {
  readonly hasOwner: boolean
}

/** Migrates the database and looks whether what it holds fits the secrets of this start. */
async function prepare(
  options: WorkerHostOptions,
  runtime: Runtime,
  script: WorkerScript,
  kept: HostSecrets | undefined,
  masterKey: string,
): Promise<Result<Prepared, string>> {
  try {
    await runtime.miniflare.ready
    if (script.database === undefined) return succeed({ hasOwner: false })
    const database = await runtime.miniflare.getD1Database(script.database.binding, script.name)
    const migrated = await applyMigrations(database, script.database.migrationsFolder, options.log)
    if (!migrated.ok) return migrated
    const hasRows = async (table: string): Promise<boolean> => {
      const exists = await database
        .prepare("SELECT count(*) AS count FROM sqlite_master WHERE type = 'table' AND name = ?")
        .bind(table)
        .first<number>('count')
      if (exists !== 1) return false
      return (await database.prepare(`SELECT 1 AS found FROM ${table} LIMIT 1`).first('found')) !== null
    }
    if (await hasRows('key_check')) {
      if (kept === undefined && !options.isNewMasterKeyAsked) return failWith(lostKeyRefusal(options.dataFolder))
      const lost = await lostWith(database, masterKey)
      if (options.isNewMasterKeyAsked) {
        await database.prepare('DELETE FROM key_check').run()
        options.log('Made a new master key.')
      }
      for (const line of describeLost(lost, options.isNewMasterKeyAsked)) options.log(line)
    }
    return succeed({ hasOwner: await hasRows('owner') })
  } catch (error) {
    return failWith(`The Worker runtime did not start: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function lostKeyRefusal(dataFolder: string): string {
  return (
    `The master key is gone: ${secretsPath(path.resolve(dataFolder))} is missing, but this data folder holds secrets ` +
    'sealed with it. Put the file back from a backup, or start with --new-master-key: it names all that has to be ' +
    'entered or paired again'
  )
}

type Database = Awaited<ReturnType<Miniflare['getD1Database']>>

async function lostWith(database: Database, masterKey: string): Promise<LostSecret[]> {
  const start = sealedStart(keyNameOf(hash('sha256', keyNameSource(Buffer.from(masterKey, 'base64')))))
  const lost: LostSecret[] = []
  for (const { kind, sql } of lostQueries) {
    const { results } = await database.prepare(sql).bind(start).all<{ name: string }>()
    lost.push(...results.map(({ name }) => ({ kind, name })))
  }
  return lost
}

const lostNames = {
  downloader: 'passwords of downloaders',
  site: 'cookies and keys of sites',
  channel: 'addresses and tokens of channels',
  service: 'keys of services',
  device: 'pairings of devices',
} as const satisfies Record<LostSecret['kind'], string>

/** Names come from a form: on one line, and without control characters. */
function describeLost(lost: readonly LostSecret[], isKeyNew: boolean): string[] {
  if (lost.length === 0) return []
  const lines = Object.entries(lostNames).flatMap(([kind, what]) => {
    const names = lost.filter((one) => one.kind === kind).map(({ name }) => name.replace(/\p{Cc}/gu, ' '))
    return names.length === 0 ? [] : [`  ${what}: ${names.join(', ')}`]
  })
  const wayOut = isKeyNew
    ? 'Enter or pair each of them again on the console.'
    : 'Put the old secrets.json back, or go on with this key on the console and enter or pair each of them again.'
  return [
    'The master key is not the one that sealed these, so they are lost:',
    ...lines,
    `The owner's password, passkeys and API tokens are not affected. ${wayOut}`,
  ]
}

interface RuntimeOptions {
  readonly dataFolder: string
  readonly address: string
  /** Where clients connect. */
  readonly port: number
  /** Where their connections are carried to; fixed, so that the runtime comes back there when it starts again. */
  readonly runtimePort: number
  /** The same for those of the owner's proxies; undefined where there are none. */
  readonly proxyPort: number | undefined
  readonly extraHosts: readonly string[]
  readonly publicOrigins: readonly string[]
  readonly trustedProxies: readonly Network[]
  readonly variables: Readonly<Record<string, string>>
  readonly secrets: HostSecrets
  readonly script: WorkerScript
  readonly lock: HostLock
  readonly log: (line: string) => void
}

interface Runtime {
  readonly miniflare: Miniflare
  readonly gaveUp: Promise<string>
  identity(): ReturnType<typeof identifyProcess>
  /** From now on an end of the runtime is a matter of starting it again. */
  supervise(): void
  close(): Promise<void>
}

const scriptEntrypoint = 'ScriptItself'
/** The gate's way in for the owner's proxies. */
const proxyEntrypoint = 'FromProxy'
const entryContents = `export * from './worker.js'; export { default, default as ${scriptEntrypoint} } from './worker.js'`

function startRuntime(options: RuntimeOptions): Runtime {
  const { dataFolder, log, lock, script } = options
  const outgoingCode = makeCode()
  const secretValues = [outgoingCode, ...Object.values(options.secrets), ...secretsAmong(options.variables)]
  const gaveUp = Promise.withResolvers<string>()
  const exits: number[] = []
  let child: ChildProcess | undefined
  let guard: GuardChild | undefined
  let isStopping = false
  let isServing = false
  let restartTimer: NodeJS.Timeout | undefined

  const identity = () => (child?.pid === undefined ? undefined : identifyProcess(child.pid))

  function onRuntimeExit(signal: string): void {
    guard?.dismiss()
    guard = undefined
    child = undefined
    if (isStopping || !isServing) return
    const now = performance.now()
    exits.push(now)
    const recent = exits.filter((at) => now - at <= runtimeRestartWindowMs)
    if (recent.length > runtimeRestartsMax) {
      gaveUp.resolve(`The runtime ended ${recent.length} times within a minute (last: ${signal}); giving up`)
      return
    }
    log(`The runtime ended unexpectedly (${signal}); starting it again`)
    clearTimeout(restartTimer)
    restartTimer = setTimeout(
      () => gaveUp.resolve('The runtime ended and did not come back; giving up'),
      runtimeRestartWaitMs,
    )
  }

  // The library starts the runtime and says nothing about its process; Node's own channel does, within the same turn.
  const onChildProcess = (message: unknown): void => {
    if (typeof message !== 'object' || message === null || !('process' in message)) return
    const candidate = message.process as ChildProcess
    candidate.once('spawn', () => {
      if (path.basename(candidate.spawnfile) !== 'workerd' || candidate.pid === undefined) return
      child = candidate
      guard = guardProcess(candidate.pid)
      lock.record(identity(), isServing ? options.address : undefined)
      candidate.once('exit', (code, signal) => onRuntimeExit(signal ?? `exit code ${code}`))
    })
  }
  channel('child_process').subscribe(onChildProcess)

  const temporaryFolder = path.join(dataFolder, 'tmp')
  rmSync(temporaryFolder, { recursive: true, force: true })
  mkdirSync(temporaryFolder, { mode: 0o700 })
  process.env['MINIFLARE_WORKERD_V8_FLAGS'] = [
    `--max-old-space-size=${runtimeHeapMebibytesMax}`,
    `--initial-old-space-size=${runtimeFirstHeapMebibytes}`,
    `--max-semi-space-size=${runtimeSemiSpaceMebibytesMax}`,
  ].join(' ')
  const keepSignals = rememberSignalListeners()
  // A key that the environment sets wins over the one this machine made.
  const bindings: Record<string, Json> = { ...script.variables, ...options.secrets, ...options.variables }
  const hostRule = {
    port: options.port,
    extraHosts: [...options.extraHosts],
    publicOrigins: [...options.publicOrigins],
  }
  const socketOfProxies =
    options.proxyPort === undefined ? [] : [{ host: '127.0.0.1', port: options.proxyPort, entrypoint: proxyEntrypoint }]
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      // The library's own entry: on a port of its own, unknown to anyone, and it leads to the gate as well.
      port: 0,
      cf: false,
      telemetry: { enabled: false },
      logRequests: false,
      resourcePersistencePath: path.join(dataFolder, 'state'),
      resourceTmpPath: temporaryFolder,
      unsafeRuntimeEnv: { [dataFolderSetting]: dataFolder },
      handleStructuredLogs: ({ message }) => log(toLogLine(message, secretValues)),
      unsafeHandleRuntimeRestart: () => {
        clearTimeout(restartTimer)
        lock.record(identity(), options.address)
        log('The runtime is back')
      },
      workers: [
        {
          name: 'wharf-gate',
          modules: [{ type: 'ESModule', path: 'gate-worker.js', contents: script.gateContents }],
          compatibilityDate: script.compatibilityDate,
          bindings: {
            HOST_RULE: hostRule,
            PROXIES: options.trustedProxies.map(({ address, bits }) => ({ address: [...address], bits })),
            SCRIPT_FIRST: [...script.pathsBeforeAssets, ...gatewayPaths(options.variables)],
          },
          serviceBindings: {
            MAIN: script.name,
            // A binding to a named entrypoint leads past the assets.
            SCRIPT: { name: script.name, entrypoint: scriptEntrypoint },
          },
          unsafeDirectSockets: [{ host: '127.0.0.1', port: options.runtimePort }, ...socketOfProxies],
        },
        {
          ...script.options,
          name: script.name,
          bindings: { ...bindings, OUTGOING_CODE: outgoingCode },
          serviceBindings: {
            ...servicesOf(script),
            OUTGOING: forwardThroughProxy(outgoingCode),
            // The runtime judges the address it connects to, after it has resolved the name.
            PUBLIC_NETWORK: { network: { allow: ['public'], tlsOptions: { trustBrowserCas: true } } },
          },
          modules: [
            { type: 'ESModule', path: 'entry.js', contents: entryContents },
            { type: 'ESModule', path: 'worker.js', contents: script.contents },
          ],
        },
      ],
    }),
  )
  keepSignals()
  return {
    miniflare,
    gaveUp: gaveUp.promise,
    identity,
    supervise() {
      isServing = true
    },
    async close() {
      isStopping = true
      clearTimeout(restartTimer)
      // A runtime that never started throws its first error here again; it has been reported by then.
      await miniflare.dispose().catch(() => undefined)
      channel('child_process').unsubscribe(onChildProcess)
      rmSync(temporaryFolder, { recursive: true, force: true })
    },
  }
}

/** Those of the configuration. */
function servicesOf(script: WorkerScript): object {
  const services = script.options['serviceBindings']
  return typeof services === 'object' && services !== null ? services : {}
}

/** The library ends the process at once on a signal; here the end is orderly, so its listeners are taken off again. */
function rememberSignalListeners(): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const before = signals.map((signal) => process.listeners(signal))
  return () => {
    for (const [index, signal] of signals.entries()) {
      for (const listener of process.listeners(signal)) {
        if (before[index]?.includes(listener) !== true) process.off(signal, listener)
      }
    }
  }
}
