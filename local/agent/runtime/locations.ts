/** Directories and the projects they belong to. A project is known by the first commit of its repository. */
import { execFile } from 'node:child_process'
import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../core/failure.ts'
import type { LocationInfo, Locations } from '../ports.ts'

const projectsKeptMax = 256
const gitMsMax = 5_000

export class DirectoryLocations implements Locations {
  readonly #active: string
  readonly #searchPath: string
  readonly #projects = new Map<string, Promise<LocationInfo['project']>>()

  constructor(active: string, searchPath: string) {
    this.#active = active
    this.#searchPath = searchPath
  }

  async resolve(directory: string | undefined, workspace?: string): Promise<Result<LocationInfo, Failure>> {
    const wanted = directory ?? this.#active
    if (!path.isAbsolute(wanted) || wanted.includes('\0')) return noDirectory
    let full: string
    try {
      full = await realpath(wanted)
      if (!(await stat(full)).isDirectory()) return noDirectory
    } catch {
      return noDirectory
    }
    if (this.#projects.size >= projectsKeptMax) this.#projects.clear()
    const project = this.#projects.get(full) ?? this.#identify(full)
    this.#projects.set(full, project)
    return succeed({
      directory: full,
      ...(workspace === undefined ? {} : { workspaceID: workspace }),
      project: await project,
    })
  }

  async #identify(directory: string): Promise<LocationInfo['project']> {
    const top = await this.#git(directory, ['rev-parse', '--show-toplevel'])
    if (top === undefined) return { id: 'global', directory }
    const roots = await this.#git(directory, ['rev-list', '--max-parents=0', 'HEAD'])
    const first = roots?.split('\n').sort()[0]
    return { id: first === undefined || first === '' ? 'global' : first, directory: top }
  }

  #git(directory: string, args: readonly string[]): Promise<string | undefined> {
    return new Promise((resolve) => {
      execFile(
        'git',
        ['-c', 'core.fsmonitor=false', '-C', directory, ...args],
        { timeout: gitMsMax, env: { PATH: this.#searchPath, LC_ALL: 'C' } },
        (error, stdout) => resolve(error === null ? stdout.trim() : undefined),
      )
    })
  }
}

const noDirectory = failWith(failure('invalid_request', 'The directory does not exist'))
