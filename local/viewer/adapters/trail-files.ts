import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../../files/replace-file.ts'
import { authorName } from '../../git/read-repository.ts'
import type { IndexPlace } from '../../indexer/store/index-folder.ts'
import { isTrailId, type StoredTrail } from '../core/trail.ts'
import {
  trailAuthorCharsMax,
  trailFileBytesMax,
  trailFilesMax,
  trailHopsMax,
  trailNameCharsMax,
  trailNoteCharsMax,
} from '../limits.ts'
import type { TrailFiles } from '../ports.ts'
import { readOwnFile } from './source-files.ts'

const storedTrail = z.object({
  version: z.literal(1),
  name: z.string().min(1).max(trailNameCharsMax),
  note: z.string().max(trailNoteCharsMax),
  author: z.string().max(trailAuthorCharsMax),
  createdAt: z.string(),
  updatedAt: z.string(),
  hops: z
    .array(
      z.object({
        dir: z.enum(['start', 'down', 'up']),
        name: z.string(),
        qualifiedName: z.string(),
        kind: z.string(),
        file: z.string(),
        line: z.number().int(),
        id: z.string(),
      }),
    )
    .min(1)
    .max(trailHopsMax),
})

export function createTrailFiles(place: IndexPlace): TrailFiles {
  const directory = path.join(place.folder, 'ui', 'trails')
  const fileOf = (id: string): string => path.join(directory, `${id}.json`)
  return {
    directory,
    list() {
      let names: string[]
      try {
        names = readdirSync(directory).filter((one) => one.endsWith('.json'))
      } catch {
        return { trails: [], skipped: 0, isBounded: false }
      }
      const trails: StoredTrail[] = []
      let skipped = 0
      for (const name of names.sort().slice(0, trailFilesMax)) {
        const trail = readTrail(directory, name)
        if (trail === undefined) skipped += 1
        else trails.push(trail)
      }
      trails.sort((left, right) =>
        left.updatedAt < right.updatedAt ? 1 : left.updatedAt > right.updatedAt ? -1 : left.id < right.id ? -1 : 1,
      )
      return { trails, skipped, isBounded: names.length > trailFilesMax }
    },
    save(trail) {
      makeFolder(place.folder, directory)
      replaceFile(fileOf(trail.id), `${JSON.stringify(trail, null, 2)}\n`, { isSynced: true })
    },
    remove(id) {
      try {
        if (!lstatSync(fileOf(id)).isFile()) return false
        rmSync(fileOf(id))
        return true
      } catch {
        return false
      }
    },
    author() {
      const name = authorName(place.root, process.env)?.trim() ?? ''
      return (name === '' ? osUser() : name).slice(0, trailAuthorCharsMax)
    },
  }
}

function osUser(): string {
  try {
    return os.userInfo().username
  } catch {
    return ''
  }
}

function readTrail(directory: string, name: string): StoredTrail | undefined {
  const id = name.slice(0, -'.json'.length)
  if (!isTrailId(id)) return undefined
  const text = readOwnFile(path.join(directory, name), trailFileBytesMax)
  if (text === undefined) return undefined
  try {
    const parsed = storedTrail.safeParse(JSON.parse(text))
    // The name of the file is the id: a copied file is a trail of its own.
    return parsed.success ? { ...parsed.data, id } : undefined
  } catch {
    return undefined
  }
}

/** The folders are made one by one, and none of them may be a link: a link would carry the write elsewhere. */
function makeFolder(indexFolder: string, directory: string): void {
  let at = indexFolder
  for (const part of path.relative(indexFolder, directory).split(path.sep)) {
    at = path.join(at, part)
    try {
      mkdirSync(at, { mode: 0o700 })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      if (!lstatSync(at).isDirectory()) throw new Error('the folder of saved trails is not a folder')
    }
  }
}
