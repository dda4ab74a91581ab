/**
 * Every setting of the service, once: as a flag, as a variable and as a line of the file it has the same name, written as
 * each of them is. What asks something of one start alone is a flag and nothing else.
 */
type SettingKind = 'text' | 'list' | 'switch' | 'number'

export interface Setting {
  readonly kind: SettingKind
  /** Stands for the value in what --help prints. */
  readonly value?: string
  readonly about: string
}

export const settings = {
  data: { kind: 'text', value: 'DIR', about: 'folder for everything that is kept' },
  port: { kind: 'number', value: 'N', about: 'port of the Worker: App API, gateway, console' },
  'agent-port': { kind: 'number', value: 'N', about: 'port of the agent server' },
  'viewer-port': { kind: 'number', value: 'N', about: 'port of the code viewer; 0 takes any free port' },
  without: { kind: 'list', value: 'LIST', about: 'leave out agent, viewer or both (agent,viewer)' },
  'no-auth': {
    kind: 'switch',
    about: 'agent server and viewer ask for no credential: every user of this machine may run commands as you',
  },
  'keep-index': { kind: 'switch', about: 'keep an index of this folder while the viewer is in use' },
  listen: {
    kind: 'text',
    value: 'ADDRESS',
    about: 'also answer on this address of this machine, 0.0.0.0 for all; needs a password, and the runtime node',
  },
  'local-name': {
    kind: 'text',
    value: 'NAME',
    about: 'also be found as NAME.local on the network that --listen answers on, by mDNS: wharf for wharf.local',
  },
  'owner-password-file': {
    kind: 'text',
    value: 'FILE',
    about: 'while the owner has no password: set the one in this file, as where nobody can open the set-up link',
  },
  'allow-host': {
    kind: 'list',
    value: 'NAME',
    about: 'also answer requests for this Host, e.g. behind a proxy; may be repeated',
  },
  'public-url': {
    kind: 'list',
    value: 'URL',
    about: 'where browsers find this service from outside, as https://nas.example/wharf; may be repeated',
  },
  'api-origin': {
    kind: 'list',
    value: 'URL',
    about: 'pages of this origin may call the App API with a token, never a cookie; may be repeated',
  },
  'trusted-proxy': {
    kind: 'list',
    value: 'NET',
    about: 'believe what a proxy at this address or network says of its callers; may be repeated',
  },
  'time-zone': {
    kind: 'text',
    value: 'NAME',
    about: 'by whose clock days begin until the owner chooses one on the page, as Europe/Paris',
  },
  'metrics-open': { kind: 'switch', about: '/metrics asks for no token; it names sites and downloaders' },
  'no-backups': { kind: 'switch', about: 'make none by itself, neither daily nor before a migration' },
  'backup-bucket': {
    kind: 'text',
    value: 'URL',
    about: 'also send sealed backups to this bucket of the S3 kind, as https://s3.example/bucket/wharf',
  },
  'backup-region': { kind: 'text', value: 'NAME', about: 'region of that bucket, as its provider calls it' },
  'no-sandbox': {
    kind: 'switch',
    about: 'without credentials of a model provider, start none that stands in for it',
  },
  'log-files': {
    kind: 'number',
    value: 'N',
    about: 'files of the log that are kept in logs of the data folder, the newest among them; 0 keeps none',
  },
  'log-size': { kind: 'number', value: 'MIB', about: 'a file of the log that would grow beyond this is put aside' },
  runtime: {
    kind: 'text',
    value: 'NAME',
    about: 'what the Worker runs on: node (this process) or workerd (what the edge runs)',
  },
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof settings
export const settingNames = Object.keys(settings) as readonly SettingName[]

/** Of one start: a file that said them would say them at every start. */
export const startFlags = {
  config: {
    value: 'FILE',
    about: 'read settings from this file; without it wharf.toml of this folder, when there is one',
  },
  'new-setup-link': { about: "print a new set-up link, which sets the owner's password anew" },
  'new-master-key': { about: 'go on after the master key was lost; says what must be entered or paired again' },
  version: { about: 'which version this is' },
  help: { about: 'this text' },
} as const satisfies Readonly<Record<string, { readonly value?: string; readonly about: string }>>

export const variableOf = (name: string): string => `WHARF_${name.toUpperCase().replaceAll('-', '_')}`
export const keyOf = (name: string): string => name.replaceAll('-', '_')

/** As `--help` prints them, under one another. */
export function describeFlags(defaults: Readonly<Partial<Record<SettingName, string>>>): string {
  const rows = [...Object.entries<Partial<Setting> & { about: string }>(settings), ...Object.entries(startFlags)]
  return rows
    .map(([name, { about, ...rest }]) => {
      const flag = `--${name}${'value' in rest && rest.value !== undefined ? ` ${rest.value}` : ''}`
      const byDefault = Object.hasOwn(defaults, name) ? ` (default ${defaults[name as SettingName]})` : ''
      return `  ${flag.padEnd(27)} ${about}${byDefault}`
    })
    .join('\n')
}
