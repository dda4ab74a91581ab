/** Directories and the projects they belong to. A project is known by the first commit of its repository. */
import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { findRepository } from '../../git/find-repository.ts'
import { askRepository } from '../../git/read-repository.ts'
import { type Failure, failure } from '../core/failure.ts'
import type { LocationInfo, Locations } from '../ports.ts'

const projectsKeptMax = 256

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
    const repository = findRepository(directory)
    if (repository === undefined) return { id: 'global', directory }
    const roots = await askRepository(repository, ['rev-list', '--max-parents=0', 'HEAD', '--'], this.#searchPath)
    const first = roots?.trim().split('\n').sort()[0]
    return { id: first === undefined || first === '' ? 'global' : first, directory: repository.top }
  }
}

const noDirectory = failWith(failure('invalid_request', { kind: 'no_directory' }))
