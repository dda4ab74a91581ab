/** workerd, driven through Miniflare: what the edge runs, in a process that is watched. */

import type { ChildProcess } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { convertV4MiniflareOptions, type Json, Miniflare, Response as RuntimeResponse } from 'miniflare'
import { causeOf } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { isWithin, type Network, parseIpAddress } from '#shared/network/ip-address.ts'
import { readRoutePrefix } from '../../workers/gateway/settings.ts'
import { officeBinding } from '../operating/host-office.ts'
import { scriptFolder } from '../runtime/script-bundle.ts'
import { takeClients } from './client-connections.ts'
import { onFreePorts } from './free-port.ts'
import { type GuardChild, guardProcess } from './guard-child.ts'
import { dataFolderSetting } from './host-lock.ts'
import { type HostedRuntime, type OpenedDoor, type RuntimeSettings, secretsAmong } from './hosted-runtime.ts'
import {
  runtimeFirstHeapMebibytes,
  runtimeHeapMebibytesMax,
  runtimeRestartsMax,
  runtimeRestartWaitMs,
  runtimeRestartWindowMs,
  runtimeSemiSpaceMebibytesMax,
  secretSettingCharactersMin,
} from './limits.ts'
import { isForOwner, toLogLine } from './log-lines.ts'
import { forwardThroughProxy } from './outgoing-proxy.ts'
import { identifyProcess } from './process-identity.ts'
import { makeCode } from './secrets-file.ts'
import { loadWorkerScript, type WorkerScript } from './worker-script.ts'

/** Listens on this machine's loopback interface; 0 means any free port. */
export async function openWorkerdDoor(port: number): Promise<Result<OpenedDoor, 'busy' | 'forbidden'>> {
  const taken = await takeClients(port)
  if (!taken.ok) return taken
  const clients = taken.value
  return succeed({
    port: clients.port,
    async start(settings) {
      const loaded = await loadWorkerScript({
        configFile: settings.configFile,
        cacheFolder: scriptFolder(settings.dataFolder),
        log: settings.log,
      })
      if (!loaded.ok) return loaded
      const options = { ...settings, port: clients.port, script: loaded.value }
      const { trustedProxies } = settings
      try {
        return succeed(
          await onFreePorts(trustedProxies.length === 0 ? 1 : 2, ([runtimePort = 0, proxyPort]) =>
            startRuntime(options, runtimePort, proxyPort, () =>
              clients.leadTo((peer) => (isProxy(peer, trustedProxies) ? (proxyPort ?? runtimePort) : runtimePort)),
            ),
          ),
        )
      } catch (error) {
        return failWith({ kind: 'not_started', cause: causeOf(error) })
      }
    },
    close: () => clients.close(),
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

interface RuntimeOptions extends RuntimeSettings {
  /** Where clients connect. */
  readonly port: number
  readonly script: WorkerScript
}

const scriptEntrypoint = 'ScriptItself'
/** The gate's way in for the owner's proxies. */
const proxyEntrypoint = 'FromProxy'
const entryContents = `export * from './worker.js'; export { default, default as ${scriptEntrypoint} } from './worker.js'`

async function startRuntime(
  options: RuntimeOptions,
  runtimePort: number,
  proxyPort: number | undefined,
  leadClients: () => void,
): Promise<HostedRuntime> {
  const { dataFolder, log, lock, script } = options
  const outgoingCode = makeCode()
  const secretValues = [
    outgoingCode,
    ...Object.values(options.secrets),
    ...secretsAmong(options.variables, secretSettingCharactersMin),
  ]
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
  const askOffice = officeBinding(options.office, RuntimeResponse)
  // A key that the environment sets wins over the one this machine made.
  const bindings: Record<string, Json> = { ...script.variables, ...options.secrets, ...options.variables }
  const hostRule = {
    port: options.port,
    extraHosts: [...options.extraHosts],
    publicUrls: [...options.publicUrls],
  }
  const socketOfProxies =
    proxyPort === undefined ? [] : [{ host: '127.0.0.1', port: proxyPort, entrypoint: proxyEntrypoint }]
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
      handleStructuredLogs: ({ message }) => {
        if (isForOwner(message)) log(toLogLine(message, secretValues))
      },
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
          unsafeDirectSockets: [{ host: '127.0.0.1', port: runtimePort }, ...socketOfProxies],
        },
        {
          ...script.options,
          name: script.name,
          bindings: { ...bindings, OUTGOING_CODE: outgoingCode },
          serviceBindings: {
            ...servicesOf(script),
            OWN_HOST: (request: { readonly method: string; readonly url: string }) =>
              askOffice(request.method, request.url),
            OUTGOING: forwardThroughProxy(outgoingCode, RuntimeResponse),
            SITE_NETWORK: { network: { allow: ['public', 'private'], tlsOptions: siteTls() } },
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
  const close = async () => {
    isStopping = true
    clearTimeout(restartTimer)
    // A runtime that never started throws its first error here again; it has been reported by then.
    await miniflare.dispose().catch(() => undefined)
    channel('child_process').unsubscribe(onChildProcess)
    rmSync(temporaryFolder, { recursive: true, force: true })
  }
  try {
    await miniflare.ready
    return {
      database:
        script.database === undefined
          ? undefined
          : {
              opened: await miniflare.getD1Database(script.database.binding, script.name),
              migrationsFolder: script.database.migrationsFolder,
            },
      gaveUp: gaveUp.promise,
      async serve() {
        // From now on an end of the runtime is a matter of starting it again.
        isServing = true
        leadClients()
        lock.record(identity(), options.address)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** As the runtime's own `fetch` trusts: what browsers do, and what the owner's machine adds. */
function siteTls() {
  const file = process.env['NODE_EXTRA_CA_CERTS']
  const added = file === undefined || !existsSync(file) ? '' : readFileSync(file, 'utf8')
  const trustedCertificates = added.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return { trustBrowserCas: true, trustedCertificates: [...trustedCertificates] }
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
