import { failWith, type Result } from '#shared/kernel/result.ts'
import { findFiles, listChangedFiles, listFiles, readFile } from '../../contract/file.ts'
import type { LocationQuery } from '../../contract/location.ts'
import type { Failure } from '../../core/failure.ts'
import { present } from '../../core/fields.ts'
import { type Found, isWithin, leavesProject } from '../../core/file.ts'
import type { AgentDeps, LocationInfo } from '../../ports.ts'
import { answerWith, type BoundRoute, bind } from '../bind.ts'
import { locationOf } from './location.ts'

export function fileRoutes({
  files,
  locations,
  workTrees,
}: Pick<AgentDeps, 'files' | 'locations' | 'workTrees'>): readonly BoundRoute[] {
  /** Any directory may be named elsewhere; files are shown of the active project alone, and of copies of it. */
  async function projectLocation(call: {
    readonly query: LocationQuery
    readonly headers: Headers
  }): Promise<Result<LocationInfo, Failure>> {
    const active = await locations.resolve(undefined)
    if (!active.ok) return active
    const named = await locationOf(locations, call.query, call.headers)
    if (!named.ok) return named
    const top = active.value.project.directory
    const isOwn =
      isWithin(top, named.value.directory) ||
      workTrees.list().some((one) => isWithin(top, one.project) && isWithin(one.directory, named.value.directory))
    return isOwn ? named : failWith(leavesProject)
  }

  const answerFound = (location: LocationInfo, { entries, isCut }: Found) =>
    answerWith({ location, data: [...entries], truncated: isCut })

  return [
    bind(readFile, async (call) => {
      const location = await projectLocation(call)
      return location.ok ? files.read(location.value.directory, call.params['*path'], call.signal) : location
    }),
    bind(listFiles, async (call) => {
      const location = await projectLocation(call)
      if (!location.ok) return location
      const found = await files.list(location.value.directory, call.query.path ?? '.', call.signal)
      return found.ok ? answerFound(location.value, found.value) : found
    }),
    bind(listChangedFiles, async (call) => {
      const location = await projectLocation(call)
      if (!location.ok) return location
      const changed = await files.changed(location.value.directory, call.query.path, call.signal)
      if (!changed.ok) return changed
      if (changed.value === undefined) return answerWith({ location: location.value, data: null, truncated: false })
      const { branch, files: data, isCut: truncated } = changed.value
      return answerWith({ location: location.value, data: [...data], ...present({ branch }), truncated })
    }),
    bind(findFiles, async (call) => {
      const location = await projectLocation(call)
      if (!location.ok) return location
      const found = await files.find(location.value.directory, call.query, call.signal)
      return found.ok ? answerFound(location.value, found.value) : found
    }),
  ]
}
