/** Gets ready what a command of the model runs in, and looks afterwards what it left behind. */
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { realpath, rename, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { programFile } from '../../../bin/installation.mjs'
import { writeAuthor } from '../../git/author.ts'
import type { StartedProgram } from '../../starter/started-program.ts'
import { type OutsideReason, outsideForLack, outsideReason } from '../core/outside-reason.ts'
import { isWithin, type Mount, plainEnvironment, planMounts } from '../core/sandbox.ts'
import {
  type HostWay,
  type Sandbox,
  type SandboxStart,
  type StartPlan,
  sandboxStart,
  untoldStart,
} from '../core/sandbox-start.ts'
import { relayPort } from '../limits.ts'
import { loopShare } from './loop-share.ts'
import { lookAround, type MachinePlaces } from './machine-places.ts'
import { newlyKept, type ProjectView, ProjectWatch } from './project-watch.ts'
import type { OpenHostProxy, SandboxStatus } from './sandbox-port.ts'
import { SpareStart } from './spare-start.ts'
import type { ForeseenCall, ToolCall } from './tool-port.ts'
import { withinFolder } from './tools/pinned-path.ts'
import { waitingShellWords } from './tools/shell-words.ts'
import { standOf, WaitingShells } from './waiting-shells.ts'

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
  /** A shell that waits in just such a one, where one does. */
  takeShell(): StartedProgram | undefined
  /** One that is started already, and goes into it now. */
  tellShell(): StartedProgram | undefined
  /** Ends what was opened for it. */
  close(): Promise<void>
  /** What was made that only the owner may make, and was put aside: the old and the new name, as the model knows them. */
  settle(): Promise<readonly (readonly [name: string, aside: string])[]>
}

/** The repository itself when something in it may be written: what names programs stays as it is. */
const repositoryPrograms = ['hooks', 'config', 'config.worktree', 'modules', 'info', 'commondir']

export class CommandSandbox {
  readonly #deps: SandboxDeps
  readonly #watch = new ProjectWatch()
  readonly #waiting = new WaitingShells()
  readonly #tooLarge = new Set<string>()
  readonly #spare = new SpareStart()
  #places: MachinePlaces | undefined

  constructor(deps: SandboxDeps) {
    this.#deps = deps
  }

  /** Why commands run outside, or undefined. */
  async unavailable(call: Pick<ToolCall, 'sandbox'>): Promise<OutsideReason | undefined> {
    if (call.sandbox.isOff) return outsideReason('turned_off')
    const status = await this.#deps.status()
    return status.kind === 'none' ? outsideForLack(status) : undefined
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
  async look(call: Pick<ToolCall, 'isAllowed' | 'rulesKey'>, project: string): Promise<ProjectView> {
    const rules = { key: call.rulesKey(), mayRead: (shown: string) => call.isAllowed('read', shown) }
    const view = await this.#watch.look(project, rules)
    if (view.isCut) this.#tooLarge.add(project)
    else this.#tooLarge.delete(project)
    return view
  }

  /** As the last command there found it; until the first one nobody knows. */
  wasTooLarge(project: string): boolean {
    return this.#tooLarge.has(project)
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
    if (loopShare.isSpent()) await loopShare.turn()
    const plan = this.#plan(call, project, workdir, grants, view)
    const proxy = grants.hosts.length === 0 ? undefined : await this.#deps.openProxy(grants.hosts)
    const start = sandboxStart(status, {
      ...plan,
      mounts: isLook === true ? plan.mounts.map(asRead) : plan.mounts,
      ...(proxy === undefined ? {} : { network: await wayThrough(proxy.socketPath, status.kind) }),
    })
    return {
      start,
      takeShell: () => this.#waiting.take(call.sessionId, () => keyOf(start, plan)),
      tellShell: () => (isTold(start) ? this.#spare.take(start) : undefined),
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

  /** Has a shell wait for a command that is likely to come, and to ask for nothing beyond the sandbox. */
  async foresee(call: ForeseenCall, workdir?: string): Promise<void> {
    try {
      // Whatever is under way goes first.
      await nextTurnOfLoop()
      if (call.sandbox.isOff) return
      const status = await this.#deps.status()
      if (status.kind !== 'bubblewrap') return
      if (loopShare.isSpent()) await loopShare.turn()
      this.#spare.prepare(untoldStart(status))
      if (!this.#waiting.hasRoomFor(call.sessionId)) return
      const project = await realpath(call.directory)
      const view = await this.look(call, project)
      if (view.isCut) return
      if (loopShare.isSpent()) await loopShare.turn()
      const nothing = { reads: [], writes: [], hosts: [] }
      const plan = this.#plan(call, project, workdir ?? project, nothing, view)
      const start = sandboxStart(status, plan)
      const key = keyOf(start, plan)
      if (key !== undefined) this.#waiting.prepare(call.sessionId, key, start, waitingShellWords)
    } catch {
      // Nobody asked for it: the command itself starts a sandbox of its own, and meets what was in the way.
    }
  }

  /** No command of theirs comes any more. */
  endSessions(sessionIds: readonly string[]): void {
    for (const id of sessionIds) this.#waiting.end(id)
  }

  close(): void {
    this.#waiting.close()
    this.#spare.close()
  }

  /** Removes what sessions left in their private folders. */
  clear(): Promise<void> {
    return rm(this.#deps.folder, { recursive: true, force: true })
  }

  #plan(
    call: Pick<ToolCall, 'sessionId' | 'sandbox'>,
    project: string,
    workdir: string,
    grants: Grants,
    view: ProjectView,
  ): StartPlan {
    const base = this.#lookAround()
    const privateFolder = path.join(this.#deps.folder, call.sessionId)
    const [, madeHome] = ['tmp', 'home'].map((name) =>
      mkdirSync(path.join(privateFolder, name), { recursive: true, mode: 0o700 }),
    )
    if (madeHome !== undefined && base.author !== undefined)
      writeFileSync(path.join(privateFolder, 'home', '.gitconfig'), writeAuthor(base.author))
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
    return {
      mounts: [...mounts, ...shown],
      workdir,
      privateFolder,
      environment: { ...plainEnvironment(this.#deps.environment, call.sandbox.variables), HOME: base.home },
    }
  }

  /** Of the machine and the owner, found once. */
  #lookAround(): MachinePlaces {
    this.#places ??= lookAround(this.#deps.environment, this.#deps.withheld)
    return this.#places
  }
}

/** Whether all that it is made of is told after its start, and nothing is opened for it. */
function isTold({ hearsSignals, relay }: SandboxStart): boolean {
  return !hearsSignals && relay.length === 0
}

/** Of all that a shell in the sandbox depends on; undefined where none is to wait. */
function keyOf(start: SandboxStart, { mounts, workdir }: StartPlan): string | undefined {
  if (!isTold(start)) return undefined
  const stand = standOf(mounts, workdir)
  return stand === undefined ? undefined : `${start.setup}\n${stand}`
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
