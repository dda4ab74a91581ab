import { failWith, succeed } from '#shared/kernel/result.ts'
import { DamagedIndexError } from '../../indexer/core/rows.ts'
import type { CheckedIndexes } from '../../indexer/store/checked-indexes.ts'
import type { IndexPlace } from '../../indexer/store/index-folder.ts'
import { KeptIndex, type OpenFailure, openIndex } from '../../indexer/store/open-index.ts'
import type { Answer, ViewerFailure } from '../core/failure.ts'
import type { IndexAccess, OpenedIndex } from '../ports.ts'

const rememberedMax = 64

const failures: Readonly<Record<OpenFailure, ViewerFailure>> = {
  absent: { code: 'no-index', message: 'this project has no index', hint: 'run "indexer init" in the project' },
  building: {
    code: 'index-unusable',
    message: 'the index is being built',
    hint: 'wait for the running "indexer" to finish; if it was killed, run "indexer unlock" and "indexer index"',
  },
  older: {
    code: 'index-unusable',
    message: 'the index was made by an older version',
    hint: 'run "indexer index" to rebuild it',
  },
  newer: {
    code: 'index-unusable',
    message: 'the index was made by a newer version',
    hint: 'open it with that version, or run "indexer index" to rebuild it with this one',
  },
  damaged: {
    code: 'index-unusable',
    message: 'the index file cannot be read',
    hint: 'run "indexer index" to rebuild it',
  },
}

/** Opens the published index for each request, so that the next request sees the next index. */
export function createIndexAccess(place: IndexPlace, checked?: CheckedIndexes): IndexAccess {
  const kept = new KeptIndex(checked)
  let remembered: Remembered = { stamp: '', answers: new Map() }
  return {
    use<T>(answer: (index: OpenedIndex) => T): Answer<T> {
      const opened = openIndex(place, kept)
      if (!opened.ok) return failWith(failures[opened.failure])
      const { reader, stamp, proofs, sizeBytes, close } = opened.value
      const said = `${stamp} ${proofs}`
      if (remembered.stamp !== said) remembered = { stamp: said, answers: new Map() }
      const own = remembered
      try {
        return succeed(
          answer({
            reader,
            stamp,
            sizeBytes,
            remember: <V>(key: string, make: () => V) => {
              if (own.answers.has(key)) return { value: own.answers.get(key) as V, cached: true }
              const value = make()
              if (own.answers.size >= rememberedMax) own.answers.delete(own.answers.keys().next().value ?? '')
              own.answers.set(key, value)
              return { value, cached: false }
            },
          }),
        )
      } catch (error) {
        // A page that went bad under the reader is the file's fault, not the request's.
        if (error instanceof DamagedIndexError || isSqliteDamage(error)) return failWith(failures.damaged)
        throw error
      } finally {
        close()
      }
    },
  }
}

interface Remembered {
  readonly stamp: string
  readonly answers: Map<string, unknown>
}

function isSqliteDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
}
