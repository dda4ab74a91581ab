/** Folders beside the project that a model may look into: local ones, and copies of repositories. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { runGit, sayGitFault } from '../../git/run-git.ts'
import type { ReferenceConfiguration } from '../contract/configuration.ts'
import { present } from '../core/fields.ts'
import { referenceAgeMsMax, referenceFetchMsMax, referenceRetryMs } from '../limits.ts'
import { type ConfigurationLayer, expandHome, isRepository } from './configuration.ts'

interface Described {
  readonly description?: string | undefined
  readonly hidden?: boolean | undefined
}

export interface Reference extends Described {
  readonly name: string
  /** Where it is, or will be. */
  readonly path: string
  /** Whether the owner named it, so that it may be read without asking. */
  readonly isTrusted: boolean
  readonly source:
    | (Described & { readonly type: 'local'; readonly path: string })
    | (Described & { readonly type: 'git'; readonly repository: string; readonly branch?: string | undefined })
}

export function resolveReferences(
  layers: readonly ConfigurationLayer[],
  copies: string,
  environment: Readonly<Record<string, string | undefined>>,
): Reference[] {
  const byName = new Map<string, Reference>()
  for (const { folder, isTrusted, values } of layers) {
    for (const [name, entry] of Object.entries(values.references ?? {})) {
      byName.set(name, { name, isTrusted, ...placeOf(entry, folder, copies, environment) })
    }
  }
  return [...byName.values()]
}

function placeOf(
  entry: ReferenceConfiguration,
  folder: string,
  copies: string,
  environment: Readonly<Record<string, string | undefined>>,
): Omit<Reference, 'name' | 'isTrusted'> {
  if (typeof entry === 'string') {
    const target = isRepository(entry) ? { repository: entry } : { path: entry }
    return placeOf(target, folder, copies, environment)
  }
  const said = present({ description: entry.description, hidden: entry.hidden })
  if ('path' in entry) {
    const full = path.resolve(folder, expandHome(entry.path, environment))
    return { path: full, ...said, source: { type: 'local', path: full, ...said } }
  }
  const { repository, branch } = entry
  const key = createHash('sha256')
    .update(JSON.stringify([addressOf(repository), branch]))
    .digest('hex')
    .slice(0, 24)
  const source = { type: 'git' as const, repository, ...present({ branch }), ...said }
  return { path: path.join(copies, key), ...said, source }
}

function addressOf(repository: string): string {
  return repository.includes('://') ? repository : `https://github.com/${repository}.git`
}

export type ReferenceState = 'ready' | 'fetching' | 'failed'

/** Copies of repositories: fetched when a step first needs one, without the owner's credentials, hooks or settings. */
export class ReferenceCopies {
  readonly #searchPath: string
  readonly #onFault: (repository: string, cause: unknown) => void
  readonly #fetching = new Map<string, Promise<void>>()
  readonly #failedAtMs = new Map<string, number>()
  readonly #stop = new AbortController()

  constructor(searchPath: string, onFault: (repository: string, cause: unknown) => void) {
    this.#searchPath = searchPath
    this.#onFault = onFault
  }

  /** How it stands with a reference now. What is missing or old is fetched meanwhile: nobody waits for it. */
  async state(reference: Reference): Promise<ReferenceState> {
    const facts = await stat(reference.path).catch(() => undefined)
    const { source } = reference
    if (source.type === 'local') return facts === undefined ? 'failed' : 'ready'
    const isOld = facts === undefined || Date.now() - facts.mtimeMs > referenceAgeMsMax
    const failedAtMs = this.#failedAtMs.get(reference.path) ?? Number.NEGATIVE_INFINITY
    if (isOld && performance.now() - failedAtMs > referenceRetryMs && !this.#fetching.has(reference.path)) {
      this.#fetching.set(reference.path, this.#fetch(reference.path, source))
    }
    if (facts !== undefined) return 'ready'
    return this.#fetching.has(reference.path) ? 'fetching' : 'failed'
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#fetching.values())
  }

  async #fetch(target: string, source: Extract<Reference['source'], { type: 'git' }>): Promise<void> {
    const beside = `${target}.${randomBytes(6).toString('hex')}`
    try {
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
      await this.#clone(addressOf(source.repository), source.branch, beside)
      await rm(target, { recursive: true, force: true })
      await rename(beside, target)
      this.#failedAtMs.delete(target)
    } catch (cause) {
      await rm(beside, { recursive: true, force: true })
      this.#failedAtMs.set(target, performance.now())
      if (!this.#stop.signal.aborted) this.#onFault(source.repository, cause)
    } finally {
      this.#fetching.delete(target)
    }
  }

  async #clone(address: string, branch: string | undefined, target: string): Promise<void> {
    const outcome = await runGit(
      [
        ...['clone', '--quiet', '--depth', '1', '--single-branch', '--no-tags', '--no-recurse-submodules'],
        ...['--template=', ...(branch === undefined ? [] : ['--branch', branch])],
        ...['--', address, target],
      ],
      {
        cwd: path.dirname(target),
        searchPath: this.#searchPath,
        protocols: ['https', 'file'],
        msMax: referenceFetchMsMax,
        signal: this.#stop.signal,
      },
    )
    if (!outcome.ok) throw new Error(sayGitFault(outcome.failure))
  }
}
