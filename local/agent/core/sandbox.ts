/**
 * What a command of the model sees: nothing, and then one thing after another that it is given. The system's programs
 * and the toolchains of the owner are there to be read, the project and a private folder to be written. What is not
 * named is not there. Pure: whoever calls has looked which paths exist and resolved their links.
 */

export interface Mount {
  /**
   * `private`: `from` is shown at `at`, to be written, as what is read may be. `link`: a name of `from`, which is shown.
   * `hidden-*`: something is there, and cannot be looked into.
   */
  readonly kind: 'read' | 'write' | 'private' | 'link' | 'hidden-file' | 'hidden-folder'
  /** Absolute, without links. */
  readonly at: string
  readonly from?: string
}

/** A secret of the owner, or what the rules keep from being read. */
export interface HiddenPath {
  readonly path: string
  readonly isFolder: boolean
}

export interface SystemLink {
  readonly at: string
  readonly to: string
}

export interface SandboxFacts {
  readonly project: string
  readonly workdir: string
  readonly home: string
  /** Becomes `/tmp` (its `tmp`) and the home folder (its `home`); of one session alone. */
  readonly privateFolder: string
  /** Existing folders of the system and toolchains that may be read. */
  readonly readable: readonly string[]
  /** Further names of what lies in one of them. Each is a mount less, and a mount costs a start more than a link does. */
  readonly links: readonly SystemLink[]
  /** What must not change, below the project. */
  readonly kept: readonly string[]
  /** Folders that are made unmovable, so that what lies in them cannot be moved away with them. */
  readonly pinned: readonly string[]
  readonly hidden: readonly HiddenPath[]
  /** What the owner was asked for. */
  readonly grantedReads: readonly string[]
  readonly grantedWrites: readonly string[]
}

export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

const depthOf = (path: string) => (path === '/' ? 0 : path.split('/').length - 1)

/** In the order in which they are made: what lies deeper decides, and of the same path what is named last. */
export function planMounts(facts: SandboxFacts): Mount[] {
  const granted = new Set([...facts.grantedReads, ...facts.grantedWrites])
  const mounts: Mount[] = [
    { kind: 'private', at: '/tmp', from: `${facts.privateFolder}/tmp` },
    { kind: 'private', at: '/var/tmp', from: `${facts.privateFolder}/tmp` },
    { kind: 'private', at: facts.home, from: `${facts.privateFolder}/home` },
    ...facts.readable.map((at): Mount => ({ kind: 'read', at })),
    ...facts.links.map(({ at, to }): Mount => ({ kind: 'link', at, from: to })),
    { kind: 'write', at: facts.project },
    ...facts.pinned.map((at): Mount => ({ kind: 'write', at })),
    ...(isWithin(facts.project, facts.workdir) ? [] : [{ kind: 'read', at: facts.workdir } as const]),
    ...facts.grantedReads
      // What may be written already stays so.
      .filter((at) => !isWithin(facts.project, at))
      .map((at): Mount => ({ kind: 'read', at })),
    ...facts.grantedWrites.map((at): Mount => ({ kind: 'write', at })),
    ...facts.kept.filter((at) => !facts.grantedWrites.includes(at)).map((at): Mount => ({ kind: 'read', at })),
  ]
  const byPath = new Map(mounts.map((mount) => [mount.at, mount]))
  for (const { path, isFolder } of facts.hidden) {
    if (granted.has(path) || !isShown(path, byPath)) continue
    byPath.set(path, { kind: isFolder ? 'hidden-folder' : 'hidden-file', at: path })
  }
  return [...byPath.values()].sort((left, right) => depthOf(left.at) - depthOf(right.at))
}

/** Whether the owner's own file is at that path, and not one of the private folder or nothing at all. */
function isShown(path: string, byPath: ReadonlyMap<string, Mount>): boolean {
  let nearest = byPath.get(path)
  for (let end = path.lastIndexOf('/'); nearest === undefined && end >= 0; end = path.lastIndexOf('/', end - 1)) {
    nearest = byPath.get(path.slice(0, end) || '/')
    if (end === 0) break
  }
  return nearest?.kind === 'read' || nearest?.kind === 'write'
}

/** Everything between the name of bubblewrap and the command. They are handed over by a descriptor, not in sight. */
export function bubblewrapArguments(
  mounts: readonly Mount[],
  workdir: string,
  environment: Readonly<Record<string, string>>,
  hasUserNamespaces: boolean,
): string[] {
  return [
    '--unshare-all',
    // Without more of them, less of the kernel can be reached.
    ...(hasUserNamespaces ? ['--unshare-user', '--disable-userns'] : []),
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--clearenv',
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...mounts.flatMap(mountArguments),
    // Last, since what was granted inside of one needs a place there.
    ...mounts.filter(({ kind }) => kind === 'hidden-folder').flatMap(({ at }) => ['--remount-ro', at]),
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--remount-ro',
    '/',
    '--chdir',
    workdir,
  ]
}

function mountArguments({ kind, at, from }: Mount): string[] {
  switch (kind) {
    case 'read':
      return ['--ro-bind-try', from ?? at, at]
    case 'write':
      return ['--bind', at, at]
    case 'private':
      return ['--bind', from ?? at, at]
    case 'link':
      return ['--symlink', from ?? at, at]
    case 'hidden-file':
      return ['--ro-bind', '/dev/null', at]
    case 'hidden-folder':
      return ['--perms', '0555', '--tmpfs', at]
  }
}

/** Folders of the system that hold programs and what they need, and nothing of anybody's. */
export const systemFolders = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix',
  '/gnu',
  '/snap',
  '/run/current-system',
  '/var/lib/dpkg',
]

/** Keys and passwords among the system's settings: a server that runs as root could read them. */
export const systemSecrets = [
  ...['shadow', 'shadow-', 'gshadow', 'gshadow-', 'sudoers', 'sudoers.d', 'ssh', 'ssl/private', 'letsencrypt'],
  ...['wireguard', 'openvpn', 'NetworkManager/system-connections', 'wpa_supplicant', 'krb5.keytab', 'ipsec.secrets'],
  ...['docker', 'kubernetes', 'rancher', 'pki/tls/private', 'mysql/debian.cnf', 'postfix/sasl_passwd', 'apt/auth.conf'],
  ...['apt/auth.conf.d', 'environment', 'default', 'cloud'],
].map((name) => `/etc/${name}`)

/** Where toolchains live in a home folder. The rest of it is not shown. */
export const homeToolchains = [
  ...['.nvm', '.volta', '.fnm', '.n', '.bun/bin', '.deno/bin', '.local/share/pnpm', '.local/share/fnm'],
  ...['.cargo', '.rustup', 'go', '.pyenv', '.local/share/uv', '.local/pipx', '.asdf', '.local/share/mise'],
  ...['.rbenv', '.rvm', '.gem/ruby', '.sdkman/candidates', '.jenv', '.m2/repository', '.gradle/wrapper'],
  ...['.dotnet', '.ghcup', '.opam', '.juliaup', '.julia', '.elan', '.nix-profile', '.linuxbrew', '.local/bin'],
  ...['.local/lib', 'bin'],
]

/** Secrets in a home folder, hidden wherever they would be shown. */
export const homeSecrets = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.config', '.kube', '.docker', '.netrc', '.npmrc', '.yarnrc.yml', '.pypirc'],
  ...['.git-credentials', '.gitconfig', '.pgpass', '.my.cnf', '.boto', '.s3cfg', '.vault-token', '.terraform.d'],
  ...['.terraformrc', '.password-store', '.local/share/keyrings', '.local/share/svc', '.mozilla', '.thunderbird'],
  ...[
    '.cargo/credentials',
    '.cargo/credentials.toml',
    '.gem/credentials',
    '.m2/settings.xml',
    '.m2/settings-security.xml',
  ],
  ...['.gradle/gradle.properties', '.cache', '.bash_history', '.zsh_history', '.python_history', '.node_repl_history'],
  ...[
    '.psql_history',
    '.mysql_history',
    '.sqlite_history',
    '.lesshst',
    '.viminfo',
    '.bitcoin',
    '.ethereum',
    '.electrum',
  ],
  ...['.age', '.claude', '.claude.json', '.codex', '.gemini', '.secrets', 'Library/Keychains'],
]

/** Folders that hold things of many programs: a program that lies in one of them brings only itself. */
export const sharedShelves = ['.local', '.config', '.cache', '.local/share', '.local/state', 'Documents', 'Downloads']

const plainVariables = new Set(
  `PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM COLORTERM NO_COLOR FORCE_COLOR CLICOLOR COLUMNS LINES CI DEBIAN_FRONTEND
   NODE_ENV NODE_PATH NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR PNPM_HOME BUN_INSTALL DENO_INSTALL
   GOPATH GOROOT GOFLAGS GO111MODULE GOTOOLCHAIN CGO_ENABLED CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS RUST_BACKTRACE
   JAVA_HOME JDK_HOME MAVEN_HOME GRADLE_HOME ANDROID_HOME ANDROID_SDK_ROOT DOTNET_ROOT
   PYENV_ROOT PYENV_VERSION PYTHONPATH PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE VIRTUAL_ENV CONDA_PREFIX
   RBENV_ROOT RBENV_VERSION GEM_HOME GEM_PATH BUNDLE_PATH PERL5LIB LUA_PATH LUA_CPATH
   CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS PKG_CONFIG_PATH LD_LIBRARY_PATH LIBRARY_PATH CPATH MANPATH
   SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NIX_SSL_CERT_FILE SOURCE_DATE_EPOCH`.split(
    /\s+/,
  ),
)

/** Variables that say how programs work. Whatever else there is may be a secret under an innocent name. */
export function plainEnvironment(
  environment: Readonly<Record<string, string>>,
  more: readonly string[],
): Record<string, string> {
  const kept = Object.entries(environment).filter(
    ([name, value]) =>
      more.includes(name) ||
      ((plainVariables.has(name) || /^LC_[A-Z]+$/.test(name)) && !/[a-z]:\/\/[^/\s]*@/i.test(value)),
  )
  return { ...Object.fromEntries(kept), TMPDIR: '/tmp' }
}
