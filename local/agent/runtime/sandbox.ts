/** Gets ready what a command of the model runs in, and looks afterwards what it left behind. */
import { once } from 'node:events'
import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { programFile } from '../../../bin/installation.mjs'
import {
  type HiddenPath,
  homeSecrets,
  homeToolchains,
  isWithin,
  type Mount,
  plainEnvironment,
  planMounts,
  type SystemLink,
  sharedShelves,
  systemFolders,
  systemSecrets,
} from '../core/sandbox.ts'
import { type HostWay, type Sandbox, type SandboxStart, sandboxStart } from '../core/sandbox-start.ts'
import { macSystemFolders, macSystemSecrets } from '../core/seatbelt.ts'
import { relayPort } from '../limits.ts'
import { newlyKept, type ProjectView, ProjectWatch } from './project-watch.ts'
import type { OpenHostProxy, SandboxStatus } from './sandbox-port.ts'
import type { ToolCall } from './tool-port.ts'
import { withinFolder } from './tools/pinned-path.ts'

export interface SandboxDeps {
  /** Looks on its first call alone. */
  readonly status: () => Promise<SandboxStatus>
  readonly environment: Readonly<Record<string, string>>
  /** Private folders of sessions are made in it. */
  readonly folder: string
  /** The server's own data and configuration. */
  readonly withheld: readonly string[]
  /** Parts of it that the model is told to look into. */
  readonly shown: readonly string[]
  /** A folder in it whose folders are projects. */
  readonly workTrees: string
  /** Objects that the repository of a project borrows from another one. */
  readonly borrowed: (project: string) => string | undefined
  readonly openProxy: OpenHostProxy
}

export interface Grants {
  readonly hosts: readonly string[]
  readonly reads: readonly string[]
  readonly writes: readonly string[]
}

/** How to start a command in the sandbox. */
export interface Enclosure {
  readonly start: SandboxStart
  /** Ends what was opened for it. */
  close(): Promise<void>
  /** What was made that only the owner may make, and was put aside: the old and the new name, as the model knows them. */
  settle(): Promise<readonly (readonly [name: string, aside: string])[]>
}

/** The repository itself when something in it may be written: what names programs stays as it is. */
const repositoryPrograms = ['hooks', 'config', 'config.worktree', 'modules', 'info', 'commondir']

const systemPlaces =
  process.platform === 'darwin'
    ? { folders: macSystemFolders, secrets: macSystemSecrets }
    : { folders: systemFolders, secrets: systemSecrets }

export class CommandSandbox {
  readonly #deps: SandboxDeps
  readonly #watch = new ProjectWatch()
  #base:
    | {
        readonly home: string
        readonly readable: string[]
        readonly links: SystemLink[]
        readonly hidden: HiddenPath[]
      }
    | undefined

  constructor(deps: SandboxDeps) {
    this.#deps = deps
  }

  /** Why commands run outside, or undefined. */
  async unavailable(call: Pick<ToolCall, 'sandbox'>): Promise<string | undefined> {
    if (call.sandbox.isOff) return 'no sandbox: the configuration turns it off'
    const status = await this.#deps.status()
    return status.kind === 'none' ? `no sandbox here: ${status.reason} (${status.remedy})` : undefined
  }

  /** Nothing grants a look at them: what the server itself keeps. */
  isOwn(full: string): boolean {
    return (
      this.#deps.withheld.some((folder) => isWithin(folder, full)) &&
      ![...this.#deps.shown, this.#deps.workTrees].some((folder) => isWithin(folder, full))
    )
  }

  /** A secret of the owner, or in one: asked for each time, whatever was allowed about the folder around it. */
  isSecret(full: string): boolean {
    return this.#lookAround().hidden.some(({ path: secret }) => isWithin(secret, full))
  }

  /** What the rules keep from being read, and what nobody but the owner may change. */
  look(call: Pick<ToolCall, 'isAllowed' | 'rulesKey'>, project: string): Promise<ProjectView> {
    return this.#watch.look(project, { key: call.rulesKey(), mayRead: (shown) => call.isAllowed('read', shown) })
  }

  async enclose(
    call: Pick<ToolCall, 'sessionId' | 'isAllowed' | 'rulesKey' | 'sandbox'>,
    project: string,
    workdir: string,
    grants: Grants,
    view: ProjectView,
    /** With `isLook` the project is only looked at. */
    { isLook }: { readonly isLook?: boolean } = {},
  ): Promise<Enclosure | undefined> {
    const status = await this.#deps.status()
    if (status.kind === 'none') return undefined
    const base = this.#lookAround()
    const privateFolder = path.join(this.#deps.folder, call.sessionId)
    for (const name of ['tmp', 'home']) {
      mkdirSync(path.join(privateFolder, name), { recursive: true, mode: 0o700 })
    }
    const mounts = planMounts({
      project,
      workdir,
      home: base.home,
      privateFolder,
      readable: base.readable,
      links: base.links,
      kept: [...view.kept.filter(({ isLink }) => !isLink).map(({ full }) => full), ...programsIn(grants.writes)],
      pinned: foldersToPin(project, view),
      hidden: [
        ...base.hidden,
        ...view.unread.filter(({ isLink }) => !isLink).map(({ full }) => ({ path: full, isFolder: false })),
      ],
      grantedReads: grants.reads,
      grantedWrites: grants.writes.filter((full) => existsSync(full)),
    })
    const borrowed = isWithin(this.#deps.workTrees, project) ? this.#deps.borrowed(project) : undefined
    const shown = [...this.#deps.shown, ...(borrowed === undefined ? [] : [borrowed])]
      .filter((at) => existsSync(at))
      .map((at): Mount => ({ kind: 'read', at }))
    const proxy = grants.hosts.length === 0 ? undefined : await this.#deps.openProxy(grants.hosts)
    const start = sandboxStart(status, {
      mounts: [...(isLook === true ? mounts.map(asRead) : mounts), ...shown],
      workdir,
      privateFolder,
      environment: { ...plainEnvironment(this.#deps.environment, call.sandbox.variables), HOME: base.home },
      ...(proxy === undefined ? {} : { network: await wayThrough(proxy.socketPath, status.kind) }),
    })
    return {
      start,
      close: async () => proxy?.close(),
      settle: async () => {
        const after = await this.look(call, project)
        const granted = (full: string) => grants.writes.some((folder) => isWithin(folder, full))
        const aside = []
        for (const full of newlyKept(view, after).filter((made) => !granted(made))) {
          aside.push(await putAside(project, full))
        }
        return aside.filter((pair) => pair !== undefined)
      },
    }
  }

  /** Removes what sessions left in their private folders. */
  clear(): Promise<void> {
    return rm(this.#deps.folder, { recursive: true, force: true })
  }

  /** Of the machine and the owner, found once. */
  #lookAround() {
    if (this.#base !== undefined) return this.#base
    const { environment, withheld } = this.#deps
    const named = environment['HOME'] ?? ''
    const home = realOr(path.isAbsolute(named) && named !== '/' ? named : '/tmp/home')
    const inHome = (name: string) => path.join(home, name)
    const readable = [...systemPlaces.folders, ...homeToolchains.map(inHome)].filter((at) => existsSync(at))
    for (const entry of (environment['PATH'] ?? '').split(path.delimiter)) {
      const brought = programFolder(entry, home)
      if (brought !== undefined && !readable.some((at) => isWithin(at, brought))) readable.push(brought)
    }
    const hidden = [...systemPlaces.secrets, ...homeSecrets.map(inHome), ...withheld].flatMap(hiddenAt)
    const links = readable.flatMap((at) => linkInto(readable, at))
    const places = new Set(readable.filter((at) => !links.some((link) => link.at === at)))
    this.#base = { home, readable: [...places], links, hidden }
    return this.#base
  }
}

function asRead(mount: Mount): Mount {
  return mount.kind === 'write' ? { ...mount, kind: 'read' } : mount
}

async function wayThrough(socketPath: string, kind: Sandbox['kind']): Promise<HostWay> {
  return {
    socketPath,
    // bubblewrap gives each command a loopback of its own; on macOS all share the machine's.
    port: kind === 'bubblewrap' ? relayPort : await freePort(),
    node: process.execPath,
    relay: programFile('host-relay'),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

function realOr(full: string): string {
  try {
    return realpathSync(full)
  } catch {
    return full
  }
}

/** Where what lies at a path lies within something else that is shown, as `/bin` in `/usr`. */
function linkInto(readable: readonly string[], at: string): SystemLink[] {
  const to = realOr(at)
  return to !== at && readable.some((other) => other !== at && realOr(other) === other && isWithin(other, to))
    ? [{ at, to }]
    : []
}

function hiddenAt(full: string): HiddenPath[] {
  const facts = statSync(full, { throwIfNoEntry: false })
  return facts === undefined ? [] : [{ path: realOr(full), isFolder: facts.isDirectory() }]
}

/** A folder of the search path, with what stands beside it where it is a `bin` of something. */
function programFolder(entry: string, home: string): string | undefined {
  if (!path.isAbsolute(entry) || !existsSync(entry)) return undefined
  const full = realOr(entry)
  const parent = path.dirname(full)
  const shelves = [
    '/',
    '/home',
    '/root',
    '/tmp',
    '/var',
    '/srv',
    home,
    ...sharedShelves.map((name) => path.join(home, name)),
  ]
  const isOfOne = ['bin', 'sbin', 'shims', 'libexec'].includes(path.basename(full))
  const brought = isOfOne && !shelves.some((shelf) => isWithin(parent, shelf)) ? parent : full
  return isWithin(brought, home) || shelves.includes(brought) ? undefined : brought
}

function programsIn(writes: readonly string[]): string[] {
  return writes
    .filter((full) => path.basename(full) === '.git')
    .flatMap((full) => repositoryPrograms.map((name) => path.join(full, name)))
    .filter((full) => existsSync(full))
}

/** A folder with a dot holds what is kept and nothing that is moved about: unmovable, it cannot be put elsewhere with it. */
function foldersToPin(project: string, view: ProjectView): string[] {
  const pinned = new Set<string>()
  for (const { full } of view.kept) {
    for (
      let folder = path.dirname(full);
      isWithin(project, folder) && folder !== project;
      folder = path.dirname(folder)
    ) {
      if (path.basename(folder).startsWith('.')) pinned.add(folder)
    }
  }
  return [...pinned]
}

/** Under a name that nothing takes up, beside where it was: nothing is lost, and the owner sees it. */
async function putAside(project: string, full: string): Promise<readonly [string, string] | undefined> {
  const folder = path.dirname(full)
  const name = path.basename(full)
  const aside = `${name}.held-back-${Date.now().toString(36)}`
  try {
    await withinFolder(folder, (at) => rename(path.join(at, name), path.join(at, aside)))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const shown = (last: string) => path.relative(project, path.join(folder, last))
  return [shown(name), shown(aside)]
}
