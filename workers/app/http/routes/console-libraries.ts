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
import { type Failure, failure } from '../../core/failure.ts'
import { parseLibraryPath } from '../../core/media/library-folder.ts'
import { librariesMax, libraryPathBytesMax } from '../../limits.ts'
import type { AppDeps, Library, LibraryChange } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const refusals = {
  not_found: failure('not_found', '没有这个媒体库'),
  name_taken: failure('invalid_argument', '字段 name 不正确：已有同名的媒体库'),
  too_many: failure('invalid_argument', `最多只能有 ${librariesMax} 个媒体库`),
} as const

const notOrganised = {
  not_found: failure('not_found', '没有这条整理记录'),
  not_needed: failure('invalid_argument', '只有失败或跳过的记录可以再次整理'),
} as const

export function consoleLibraryRoutes({
  libraries,
  mediaHistory,
}: Pick<AppDeps, 'libraries' | 'mediaHistory'>): BoundRoute[] {
  return [
    bind(listLibraries, async () => succeed({ body: { items: (await libraries.list()).map(toWireLibrary) } })),
    bind(addLibrary, async ({ body }) => {
      const change = toChange(body)
      return change.ok ? answerStored(await libraries.add(change.value)) : change
    }),
    bind(changeLibrary, async ({ params, body }) => {
      const change = toChange(body)
      return change.ok ? answerStored(await libraries.update(params.id, change.value)) : change
    }),
    bind(removeLibrary, async ({ params }) =>
      (await libraries.remove(params.id)) ? succeed({ body: { ok: true as const } }) : failWith(refusals.not_found),
    ),
    bind(organiseAgain, async ({ params }) => {
      const begun = await mediaHistory.tryAgain(params.id)
      return begun.ok ? succeed({ body: { ok: true as const } }) : failWith(notOrganised[begun.failure])
    }),
  ]
}

function toChange(body: LibraryBody): Result<LibraryChange, Failure> {
  const path = parseLibraryPath(body.path, libraryPathBytesMax)
  if (!path.ok) return failWith(failure('invalid_argument', `字段 path 不正确：${path.failure}`))
  const { name, media_type: mediaType, mode } = body
  return succeed({ name, mediaType, path: path.value, mode, isDefault: body.default })
}

function answerStored(stored: Result<Library, keyof typeof refusals>): Result<{ body: WireLibrary }, Failure> {
  return stored.ok ? succeed({ body: toWireLibrary(stored.value) }) : failWith(refusals[stored.failure])
}

function toWireLibrary({ id, name, mediaType, path, mode, isDefault }: Library): WireLibrary {
  return { id, name, media_type: mediaType, path, mode, default: isDefault }
}
