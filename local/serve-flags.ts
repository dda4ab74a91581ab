/** What `wharf`, `npm start` and `node local/serve.ts` understand: flags, variables and the file, judged. */
import { isIP } from 'node:net'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { isBuilt } from '../bin/installation.mjs'
import { type AwaySettings, defaultRegion, readBucketAddress } from './backup/bucket-address.ts'
import { type DeclaringFile, readSettings } from './configuration/read-settings.ts'
import { describeFlags, type SettingName } from './configuration/settings.ts'
import { type SettingsFault, saySettingsFault } from './configuration/settings-fault.ts'
import { logFilesDefault, logFilesMax, logSizeDefault, logSizeMax } from './operating/limits.ts'
import { defaultDataFolder } from './workerd/data-folder.ts'
import { readTrustedProxy, type TrustedProxy } from './workerd/forwarded.ts'
import { hasPath, normaliseExtraHost, normaliseOrigin, normalisePublicUrl } from './workerd/host-filter.ts'
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
  /** By which it is found on the network, without `.local`. */
  readonly localName: string | undefined
  /** Holds the password of an owner who has none yet. */
  readonly ownerPasswordFile: string | undefined
  readonly publicUrls: readonly string[]
  /** Whose pages may call the App API with a token. */
  readonly apiOrigins: readonly string[]
  readonly trustedProxies: readonly TrustedProxy[]
  readonly timeZone: string | undefined
  /** Anybody who reaches the port may read the figures for monitors. */
  readonly areMetricsOpen: boolean
  readonly areBackupsMade: boolean
  readonly away: AwaySettings
  /** Files of the log in the data folder, and the MiB that one of them grows to. */
  readonly logs: { readonly files: number; readonly mebibytes: number }
  readonly isNewSetupLinkAsked: boolean
  readonly isNewMasterKeyAsked: boolean
  /** Without credentials of a model provider: whether the sandbox stands in for one. */
  readonly isSandboxAllowed: boolean
  /** Whether agent server and viewer ask for a credential. */
  readonly hasToolAuth: boolean
  /** Tools that are left out. */
  readonly without: readonly ('agent' | 'viewer')[]
  readonly isIndexKept: boolean
  /** The file, where it has more than settings. */
  readonly declares: DeclaringFile | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

export function serveUsage(environment: Environment): string {
  return `Usage: wharf [options]                 everything; in a checkout also: npm start -- [options]
       wharf backup, restore, gateway  what each of them takes: --help
       wharf config [options]          what is set by flags, variables and the file, and from which; starts nothing
       wharf diagnose [FILE|FOLDER]    packs what somebody who helps you needs to know, without secrets: --help
       wharf config diff, apply        what the file declares beside what the service has: --help
       node local/serve.ts [options]   the loopback tools; --workers also hosts the Worker script

Each but the last five is also a variable (--agent-port: WHARF_AGENT_PORT) and a line of wharf.toml (agent_port = 4097).

${describeFlags({
  data: defaultDataFolder(environment),
  port: String(defaultPorts.port),
  'agent-port': String(defaultPorts['agent-port']),
  'viewer-port': String(defaultPorts['viewer-port']),
  runtime: defaultRuntime,
  'backup-region': defaultRegion,
  'log-files': String(logFilesDefault),
  'log-size': String(logSizeDefault),
})}`
}

const portMax = 65_535
const yes = new Set(['yes', 'true', 'on', '1'])
const no = new Set(['no', 'false', 'off', '0'])

/** The first wrong value ends it: everything after it may be meant differently. */
class WrongSetting extends Error {
  readonly fault: SettingsFault

  constructor(fault: SettingsFault) {
    super(saySettingsFault(fault))
    this.fault = fault
  }
}

export function parseServeFlags(args: readonly string[], environment: Environment): Result<ServeFlags, SettingsFault> {
  const read = readSettings(args, environment)
  if (!read.ok) return read
  const { written, flags } = read.value
  const texts = (name: SettingName): readonly string[] => written.get(name)?.texts ?? []
  const wrong = (name: SettingName, takes: string, text: string): never => {
    throw new WrongSetting({ kind: 'value', name: written.get(name)?.name ?? name, takes, text })
  }
  const readAll = <Value>(name: SettingName, wanted: string, read: (text: string) => Value | undefined): Value[] =>
    texts(name).map((text) => read(text) ?? wrong(name, wanted, text))
  const one = <Value>(name: SettingName, wanted: string, read: (text: string) => Value | undefined) =>
    readAll(name, wanted, read).at(-1)
  const isOn = (name: SettingName) =>
    one(name, 'yes or no', (text) => {
      const word = text.toLowerCase()
      return yes.has(word) ? 'yes' : no.has(word) ? 'no' : undefined
    }) === 'yes'
  const whole = (name: SettingName, from: number, to: number) =>
    one(name, `a whole number from ${from} to ${to}`, (text) =>
      /^[0-9]{1,5}$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : undefined,
    )
  const portOf = (name: PortFlag): PortChoice => {
    const port = whole(name, 0, portMax)
    return { port: port ?? defaultPorts[name], isAsked: port !== undefined }
  }
  try {
    const runtime = one('runtime', runtimeKinds.join(' or '), (text) => runtimeKinds.find((kind) => kind === text))
    if (runtime === 'workerd' && isBuilt) return failWith({ kind: 'workerd_uninstalled' })
    const publicUrls = readAll(
      'public-url',
      'an address such as https://wharf.example, or with a path that is none of the service’s own such as https://nas.example/wharf',
      normalisePublicUrl,
    )
    const fault = faultInPaths(publicUrls, runtime)
    if (fault !== undefined) return failWith(fault)
    return succeed({
      isHelpAsked: flags.has('help'),
      isVersionAsked: flags.has('version'),
      hasWorkers: flags.has('workers'),
      runtime: runtime ?? defaultRuntime,
      dataFolder: one('data', 'the path of a folder', pathOf) ?? defaultDataFolder(environment),
      ports: { port: portOf('port'), 'agent-port': portOf('agent-port'), 'viewer-port': portOf('viewer-port') },
      extraHosts: readAll('allow-host', 'a host name', normaliseExtraHost),
      listen: one('listen', 'an address of this machine such as 192.168.1.10', (text) =>
        isIP(text) === 0 ? undefined : text,
      ),
      localName: one('local-name', 'a name of letters, digits and hyphens such as wharf', localNameShape),
      ownerPasswordFile: one('owner-password-file', 'the path of a file', pathOf),
      publicUrls,
      apiOrigins: readAll('api-origin', 'an address such as https://panel.example', normaliseOrigin),
      trustedProxies: readAll('trusted-proxy', 'an address or a network such as 127.0.0.1', readTrustedProxy),
      timeZone: one('time-zone', 'the name of a time zone such as Europe/Paris', timeZoneOf),
      areMetricsOpen: isOn('metrics-open'),
      areBackupsMade: !isOn('no-backups'),
      away: {
        address: one('backup-bucket', 'an address such as https://s3.example/bucket/wharf', (text) =>
          readBucketAddress(text) === undefined ? undefined : text,
        ),
        region: one('backup-region', 'the name of a region', regionOf) ?? defaultRegion,
      },
      logs: {
        files: whole('log-files', 0, logFilesMax) ?? logFilesDefault,
        mebibytes: whole('log-size', 1, logSizeMax) ?? logSizeDefault,
      },
      isNewSetupLinkAsked: flags.has('new-setup-link'),
      isNewMasterKeyAsked: flags.has('new-master-key'),
      isSandboxAllowed: !isOn('no-sandbox'),
      hasToolAuth: !isOn('no-auth'),
      without: readAll('without', 'agent, viewer or both', toolsOf).flat(),
      isIndexKept: isOn('keep-index'),
      declares: read.value.declares,
    })
  } catch (error) {
    if (!(error instanceof WrongSetting)) throw error
    return failWith(error.fault)
  }
}

function faultInPaths(publicUrls: readonly string[], runtime: RuntimeKind = defaultRuntime): SettingsFault | undefined {
  const based = publicUrls.find(hasPath)
  if (runtime === 'workerd' && based !== undefined) return { kind: 'path_needs_node', url: based }
  const known = new Map<string, string>()
  for (const url of publicUrls) {
    const { origin } = new URL(url)
    const other = known.get(origin) ?? url
    if (other !== url) return { kind: 'paths_of_one_name', urls: [other, url] }
    known.set(origin, url)
  }
  return undefined
}

function localNameShape(text: string): string | undefined {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text) ? text : undefined
}

function regionOf(text: string): string | undefined {
  return /^[a-z0-9-]{1,64}$/.test(text) ? text : undefined
}

function pathOf(text: string): string | undefined {
  return text.trim() === '' ? undefined : text
}

function toolsOf(text: string): ('agent' | 'viewer')[] | undefined {
  const names = text.split(',')
  const tools = names.filter((name) => name === 'agent' || name === 'viewer')
  return tools.length === names.length ? tools : undefined
}

function timeZoneOf(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone === '' ? undefined : text
  } catch {
    return undefined
  }
}
