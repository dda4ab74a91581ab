import path from 'node:path'
import { succeed } from '#shared/kernel/result.ts'
import { changedInProject } from '../../indexer/files/changed-repositories.ts'
import type { IndexPlace } from '../../indexer/store/index-folder.ts'
import { badRequest } from '../core/failure.ts'
import type { ProjectChanges } from '../ports.ts'

/** `within`: of several repositories in the project only the one that this folder is in, if it is in one. */
export function createProjectChanges(place: IndexPlace, within = place.root): ProjectChanges {
  const own = `${path.relative(place.root, place.folder)}/`
  return {
    inRange(range) {
      const found = changedInProject(place.root, range, within)
      if (found.ok)
        return succeed({ range, ...found.value, files: found.value.files.filter((one) => !one.path.startsWith(own)) })
      const named = range.slice(0, 200)
      return found.failure === 'no-commit'
        ? badRequest(`"${named}" is no commit or range of a repository that holds this project`)
        : badRequest(
            `the newer side of "${named}" is not what is checked out`,
            'the index is of the work tree: check that commit out and sync, or compare one commit with the work tree',
          )
    },
  }
}
