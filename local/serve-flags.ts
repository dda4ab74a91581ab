/** What `npm start` and `node local/serve.ts` understand. */
import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { isBuilt } from '../bin/installation.mjs'
import { defaultDataFolder } from './workerd/data-folder.ts'
import { readTrustedProxy, type TrustedProxy } from './workerd/forwarded.ts'
import { normaliseExtraHost, normalisePublicUrl } from './workerd/host-filter.ts'
import { defaultRuntime, type RuntimeKind, runtimeKinds } from './workerd/runtime-kind.ts'

export const defaultPorts = { port: 8787, 'agent-port': 4096, 'viewer-port': 4747 } as const
type PortFlag = keyof typeof defaultPorts

export interface PortChoice {
  readonly port: number
  readonly isAsked: boolean
}

export interface ServeFlags {
  readonly isHelpAsked: boolean
  readonly isVersionAsked: boolean
  readonly hasWorkers: boolean
  readonly runtime: RuntimeKind
  readonly dataFolder: string
  readonly ports: Readonly<Record<PortFlag, PortChoice>>
  readonly extraHosts: readonly string[]
  /** An address beside the loopback one. */
  readonly listen: string | undefined
  readonly publicOrigins: readonly string[]
  /** Whose pages may call the App API with a token. */
  readonly apiOrigins: readonly string[]
  readonly trustedProxies: readonly TrustedProxy[]
  /** Anybody who reaches the port may read the figures for monitors. */
  readonly areMetricsOpen: boolean
  readonly areBackupsMade: boolean
  readonly isNewSetupLinkAsked: boolean
  readonly isNewMasterKeyAsked: boolean
  /** Without credentials of a model provider: whether the sandbox stands in for one. */
  readonly isSandboxAllowed: boolean
  /** Whether agent server and viewer ask for a credential. */
  readonly hasToolAuth: boolean
  /** Tools that are left out. */
  readonly without: readonly ('agent' | 'viewer')[]
  readonly isIndexKept: boolean
}

export const serveUsage = `Usage: wharf [options]                 everything; in a checkout also: npm start -- [options]
       wharf backup, restore, gateway  what each of them takes: --help
       node local/serve.ts [options]   the loopback tools; --workers also hosts the Worker script

  --data DIR          folder for everything that is kept (default ${defaultDataFolder(process.env)})
  --port N            port of the Worker: App API, gateway, console (default 8787)
  --agent-port N      port of the agent server (default 4096)
  --viewer-port N     port of the code viewer (default 4747); 0 takes any free port
  --without LIST      leave out agent, viewer or both (agent,viewer)
  --no-auth           agent server and viewer ask for no credential: every user of this machine may run commands as you
  --keep-index        keep an index of this folder while the viewer is in use
  --listen ADDRESS    also answer on this address of this machine, 0.0.0.0 for all; needs a password, and the runtime node
  --allow-host NAME   also answer requests for this Host, e.g. behind a proxy; may be repeated
  --public-url URL    where browsers find this service from outside, as https://wharf.example; may be repeated
  --api-origin URL    pages of this origin may call the App API with a token, never a cookie; may be repeated
  --trusted-proxy NET believe what a proxy at this address or network says of its callers; may be repeated
  --metrics-open      /metrics asks for no token; it names sites and downloaders
  --no-backups        make none by itself, neither daily nor before a migration
  --no-sandbox        without credentials of a model provider, start none that stands in for it
  --runtime NAME      what the Worker runs on: node (this process) or workerd (what the edge runs); default ${defaultRuntime}
  --new-setup-link    print a new set-up link, which sets the owner's password anew
  --new-master-key    go on after the master key was lost; says what must be entered or paired again
  --version           which version this is
  --help              this text`

const portMax = 65_535

export function parseServeFlags(args: readonly string[]): Result<ServeFlags, string> {
  const parsed = parseKnown(args)
  if (!parsed.ok) return parsed
  const values = parsed.value
  const ports: Record<PortFlag, PortChoice> = {
    port: { port: defaultPorts.port, isAsked: false },
    'agent-port': { port: defaultPorts['agent-port'], isAsked: false },
    'viewer-port': { port: defaultPorts['viewer-port'], isAsked: false },
  }
  for (const flag of ['port', 'agent-port', 'viewer-port'] as const) {
    const text = values[flag]
    if (text === undefined) continue
    if (!/^[0-9]{1,5}$/.test(text) || Number(text) > portMax) {
      return failWith(`--${flag} takes a whole number from 0 to ${portMax}, not ${JSON.stringify(text)}`)
    }
    ports[flag] = { port: Number(text), isAsked: true }
  }
  const dataFolder = values.data ?? defaultDataFolder(process.env)
  if (dataFolder.trim() === '') return failWith('--data takes the path of a folder')
  const runtime = runtimeKinds.find((kind) => kind === (values.runtime ?? defaultRuntime))
  if (runtime === undefined)
    return failWith(`--runtime takes ${runtimeKinds.join(' or ')}, not ${JSON.stringify(values.runtime)}`)
  if (runtime === 'workerd' && isBuilt)
    return failWith('--runtime workerd needs a checkout of the sources: an installed package runs in Node alone')
  const without: ('agent' | 'viewer')[] = []
  for (const name of values.without?.split(',') ?? []) {
    if (name !== 'agent' && name !== 'viewer') {
      return failWith(`--without takes agent, viewer or both, not ${JSON.stringify(name)}`)
    }
    without.push(name)
  }
  const extraHosts: string[] = []
  for (const name of values['allow-host'] ?? []) {
    const host = normaliseExtraHost(name)
    if (host === undefined) return failWith(`--allow-host takes a host name, not ${JSON.stringify(name)}`)
    extraHosts.push(host)
  }
  const { listen } = values
  if (listen !== undefined && isIP(listen) === 0)
    return failWith(`--listen takes an address of this machine such as 192.168.1.10, not ${JSON.stringify(listen)}`)
  const publicOrigins: string[] = []
  for (const text of values['public-url'] ?? []) {
    const origin = normalisePublicUrl(text)
    if (origin === undefined)
      return failWith(`--public-url takes an address such as https://wharf.example, not ${JSON.stringify(text)}`)
    publicOrigins.push(origin)
  }
  const apiOrigins: string[] = []
  for (const text of values['api-origin'] ?? []) {
    const origin = normalisePublicUrl(text)
    if (origin === undefined)
      return failWith(`--api-origin takes an address such as https://panel.example, not ${JSON.stringify(text)}`)
    apiOrigins.push(origin)
  }
  const trustedProxies: TrustedProxy[] = []
  for (const text of values['trusted-proxy'] ?? []) {
    const network = readTrustedProxy(text)
    if (network === undefined)
      return failWith(`--trusted-proxy takes an address or a network such as 127.0.0.1, not ${JSON.stringify(text)}`)
    trustedProxies.push(network)
  }
  return succeed({
    isHelpAsked: values.help === true,
    isVersionAsked: values.version === true,
    hasWorkers: values.workers === true,
    runtime,
    dataFolder,
    ports,
    extraHosts,
    listen,
    publicOrigins,
    apiOrigins,
    trustedProxies,
    areMetricsOpen: values['metrics-open'] === true,
    areBackupsMade: values['no-backups'] !== true,
    isNewSetupLinkAsked: values['new-setup-link'] === true,
    isNewMasterKeyAsked: values['new-master-key'] === true,
    isSandboxAllowed: values['no-sandbox'] !== true,
    hasToolAuth: values['no-auth'] !== true,
    without,
    isIndexKept: values['keep-index'] === true,
  })
}

function parseKnown(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        workers: { type: 'boolean' },
        data: { type: 'string' },
        port: { type: 'string' },
        'agent-port': { type: 'string' },
        'viewer-port': { type: 'string' },
        listen: { type: 'string' },
        'allow-host': { type: 'string', multiple: true },
        'public-url': { type: 'string', multiple: true },
        'api-origin': { type: 'string', multiple: true },
        'trusted-proxy': { type: 'string', multiple: true },
        'metrics-open': { type: 'boolean' },
        'no-backups': { type: 'boolean' },
        'new-setup-link': { type: 'boolean' },
        'new-master-key': { type: 'boolean' },
        runtime: { type: 'string' },
        'no-sandbox': { type: 'boolean' },
        'no-auth': { type: 'boolean' },
        without: { type: 'string' },
        'keep-index': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
    return succeed(values)
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error)
    return failWith(`${reason.replaceAll('\n', ' ')}; --help lists what there is`)
  }
}
