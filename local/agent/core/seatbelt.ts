/**
 * The same view of the machine, for macOS: a profile that `sandbox-exec` reads (the last rule that matches decides; names of
 * operations and filters as in the profiles that the system brings). It has paths and no mounts, so that nothing can be
 * shown under another name: the private folder is where it is, and whoever starts the command names it as home.
 */
import { isWithin, type Mount } from './sandbox.ts'

export interface SeatbeltPlan {
  readonly mounts: readonly Mount[]
  /** Resolved, as all paths of the mounts. */
  readonly privateFolder: string
  readonly network?: SeatbeltNetwork
}

/** The only way out, and the port of the loopback on which the command finds it. */
interface SeatbeltNetwork {
  readonly socketPath: string
  readonly port: number
}

/** Programs of the system and what they need to start, and nothing of anybody's. */
export const macSystemFolders = [
  ...['/usr', '/bin', '/sbin', '/System', '/opt', '/private/etc', '/private/var/select'],
  ...['/private/var/db/dyld', '/private/var/db/timezone', '/private/var/db/xcode_select_link'],
  ...['/Library/Apple', '/Library/Developer', '/Library/Frameworks', '/Library/Java', '/Library/Perl', '/Library/Ruby'],
  ...['/Applications/Xcode.app', '/nix'],
]

export const macSystemSecrets = [
  ...[
    'master.passwd',
    'sudoers',
    'sudoers.d',
    'ssh',
    'krb5.keytab',
    'racoon',
    'postfix',
    'openldap',
    'security/audit_control',
  ],
  ...['wireguard', 'openvpn'],
].map((name) => `/private/etc/${name}`)

/** Questions about users, the clock and the log. Keychain, pasteboard and the starting of programs are not among them. */
const services = [
  'com.apple.bsd.dirhelper',
  'com.apple.logd',
  'com.apple.system.logger',
  'com.apple.system.notification_center',
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.opendirectoryd.membership',
]

/** What a runtime asks about its machine. `kern.procargs2`, with the variables of other processes, is not among it. */
const machineFacts = [
  ...[
    'hw.',
    'machdep.cpu.',
    'kern.os',
    'kern.version',
    'kern.hostname',
    'kern.argmax',
    'kern.maxfiles',
    'kern.maxproc',
  ],
  ...[
    'kern.ngroups',
    'kern.usrstack',
    'kern.secure_kernel',
    'kern.boottime',
    'kern.tcsm_available',
    'kern.iossupportversion',
  ],
  ...['kern.proc.pid.', 'kern.proc.pgrp.', 'sysctl.', 'vm.loadavg', 'vm.pagesize', 'security.mac.lockdown_mode_state'],
]

const devices = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom']

/** A path with a control character cannot be written into a profile for certain, and throws. */
export function seatbeltProfile(plan: SeatbeltPlan): string {
  const shown = plan.mounts.filter(({ kind }) => kind === 'read' || kind === 'write').map(({ at, from }) => from ?? at)
  const places = [...shown, plan.privateFolder, ...(plan.network === undefined ? [] : [plan.network.socketPath])]
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec)',
    '(allow process-fork)',
    '(allow process-info* (target same-sandbox))',
    '(allow signal (target same-sandbox))',
    rule(
      'allow mach-lookup',
      services.map((name) => filter('global-name', name)),
    ),
    rule(
      'allow sysctl-read',
      machineFacts.map((name) => filter('sysctl-name-prefix', name)),
    ),
    '(allow ipc-posix-sem)',
    rule(
      'allow file-read* file-write-data file-ioctl',
      devices.map((path) => filter('literal', path)),
    ),
    rule('allow file-read*', [filter('literal', '/'), filter('subpath', '/dev/fd')]),
    ...plan.mounts.flatMap(mountRules),
    // A way is walked folder by folder, through what is covered too: that they are there is told, what lies in them is not.
    rule(
      'allow file-read-metadata',
      [...waysTo(places)].map((path) => filter('literal', path)),
    ),
    rule('allow file-read* file-write*', [filter('subpath', plan.privateFolder)]),
    ...stayWhereTheyAre(plan.mounts),
    ...(plan.network === undefined ? [] : networkRules(plan.network)),
    '',
  ].join('\n')
}

function mountRules({ kind, at, from }: Mount): string[] {
  const place = filter('subpath', from ?? at)
  switch (kind) {
    case 'link':
    case 'read':
      return [rule('allow file-read*', [place]), rule('deny file-write*', [place])]
    case 'write':
      return [rule('allow file-read* file-write*', [place])]
    case 'private':
      // What is shown there elsewhere is the private folder. Here it is the owner's own, and covered.
      return [rule('deny file-read* file-write*', [filter('subpath', at)])]
    case 'hidden-file':
    case 'hidden-folder':
      return [rule('deny file-read* file-write*', [place])]
  }
}

/** A rule names a path. Were a folder around it moved, what lies there would have a name that no rule knows. */
function stayWhereTheyAre(mounts: readonly Mount[]): string[] {
  const written = mounts.filter(({ kind }) => kind === 'write').map(({ at }) => at)
  const ruled = mounts.filter(({ kind }) => kind !== 'private').map(({ at }) => at)
  const anchors = new Set(written)
  for (const at of ruled) {
    for (const folder of foldersAbove(at)) {
      if (written.some((root) => isWithin(root, folder))) anchors.add(folder)
    }
  }
  return anchors.size === 0
    ? []
    : [
        rule(
          'deny file-write-unlink',
          [...anchors].map((at) => filter('literal', at)),
        ),
      ]
}

function networkRules({ socketPath, port }: SeatbeltNetwork): string[] {
  const local = `"localhost:${port}"`
  return [
    '(allow system-socket (socket-domain AF_UNIX))',
    `(allow network-outbound (remote unix-socket (path-literal ${quoted(socketPath)})))`,
    rule('allow file-read*', [filter('literal', socketPath)]),
    `(allow network-bind (local ip ${local}))`,
    `(allow network-inbound (local ip ${local}))`,
    `(allow network-outbound (remote ip ${local}))`,
  ]
}

function waysTo(paths: readonly string[]): Set<string> {
  // The links under which the system knows three of its folders.
  return new Set(['/etc', '/tmp', '/var', ...paths.flatMap(foldersAbove)])
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(1, -1)
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
}

const rule = (what: string, filters: readonly string[]) => `(${what} ${filters.join(' ')})`
const filter = (kind: string, value: string) => `(${kind} ${quoted(value)})`

function quoted(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(value))
    throw new Error('A path with a control character cannot be kept in a sandbox')
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
