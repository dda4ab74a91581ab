import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addLibrary,
  changeLibrary,
  type LibraryBody,
  listLibraries,
  organiseAgain,
  removeLibrary,
  type WireLibrary,
} from '../../contract/console-libraries.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import { parseLibraryPath } from '../../core/media/library-folder.ts'
import { librariesMax, libraryPathBytesMax } from '../../limits.ts'
import type { Library, LibraryChange } from '../../ports/library.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { removeNamed } from '../remove-named.ts'

const refusals = {
  not_found: failure('not_found', { kind: 'none', what: 'library' }),
  name_taken: wrongField('name', { kind: 'name_taken', what: 'library' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'library', limit: librariesMax }),
} as const

const notOrganised = {
  not_found: failure('not_found', { kind: 'none', what: 'media_record' }),
  not_needed: failure('invalid_argument', { kind: 'media.not_needed' }),
} as const

export function consoleLibraryRoutes({
  libraries,
  mediaHistory,
}: Pick<AppDeps, 'libraries' | 'mediaHistory'>): BoundRoute[] {
  return [
    bind(listLibraries, async () => succeed({ body: { items: (await libraries.list()).map(toWireLibrary) } })),
    bind(addLibrary, async ({ body }) => {
      const change = libraryChange(body)
      return change.ok ? answerStored(await libraries.add(change.value)) : change
    }),
    bind(changeLibrary, async ({ params, body }) => {
      const change = libraryChange(body)
      return change.ok ? answerStored(await libraries.update(params.id, change.value)) : change
    }),
    bind(removeLibrary, ({ params }) => removeNamed(libraries, params.id, refusals.not_found)),
    bind(organiseAgain, async ({ params }) => {
      const begun = await mediaHistory.tryAgain(params.id)
      return begun.ok ? succeed({ body: { ok: true as const } }) : failWith(notOrganised[begun.failure])
    }),
  ]
}

export function libraryChange(body: LibraryBody): Result<LibraryChange, Failure> {
  const path = parseLibraryPath(body.path, libraryPathBytesMax)
  if (!path.ok) return failWith(wrongField('path', path.failure))
  const { name, media_type: mediaType, mode } = body
  return succeed({ name, mediaType, path: path.value, mode, isDefault: body.default })
}

function answerStored(stored: Result<Library, keyof typeof refusals>): Result<{ body: WireLibrary }, Failure> {
  return stored.ok ? succeed({ body: toWireLibrary(stored.value) }) : failWith(refusals[stored.failure])
}

function toWireLibrary({ id, name, mediaType, path, mode, isDefault }: Library): WireLibrary {
  return { id, name, media_type: mediaType, path, mode, default: isDefault }
}
