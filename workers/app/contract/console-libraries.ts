/** The console's endpoints for libraries: for the signed-in browser only. */
import * as z from '#shared/schema/deferred.ts'
import { libraryModes, mediaTypes } from '../core/vocabulary.ts'
import { libraryNameCharactersMax, libraryPathBytesMax } from '../limits.ts'
import { ofFile } from './of-file.ts'
import { wholeNumber } from './paging.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'

const wireLibrary = z.object({
  id: z.int(),
  name: z.string(),
  media_type: z.enum(mediaTypes),
  /** On the machine of the downloader. */
  path: z.string(),
  mode: z.enum(libraryModes),
  default: z.boolean(),
  ...ofFile,
})
export type WireLibrary = z.infer<typeof wireLibrary>

export const listLibraries = declareRoute('session', 'get', '/libraries', {
  operationId: 'listLibraries',
  summary: '媒体库',
  answers: { 200: z.object({ items: z.array(wireLibrary) }) },
})

export const libraryBody = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(libraryNameCharactersMax)
    .regex(/^\P{C}*$/u),
  media_type: z.enum(mediaTypes),
  /** Absolute, without a way up. Each character has a byte at least. */
  path: z.string().trim().min(1).max(libraryPathBytesMax),
  mode: z.enum(libraryModes),
  /** Of its kind there is one, and always one: the first, or the last that was marked. */
  default: z.boolean(),
})
export type LibraryBody = z.output<typeof libraryBody>

const libraryId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })

export const addLibrary = declareRoute('session', 'post', '/libraries', {
  operationId: 'addLibrary',
  summary: '添加媒体库',
  body: libraryBody,
  answers: { 200: wireLibrary },
})

export const changeLibrary = declareRoute('session', 'put', '/libraries/{id}', {
  operationId: 'changeLibrary',
  summary: '修改媒体库',
  params: libraryId,
  body: libraryBody,
  answers: { 200: wireLibrary },
})

export const removeLibrary = declareRoute('session', 'delete', '/libraries/{id}', {
  operationId: 'removeLibrary',
  summary: '删除媒体库；文件和整理记录保留',
  params: libraryId,
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
})

export const organiseAgain = declareRoute('session', 'post', '/media/history/{id}/retry', {
  operationId: 'organiseAgain',
  summary: '再次整理失败或跳过的记录',
  params: libraryId,
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
})

export const consoleLibraryDeclarations: readonly RouteDeclaration[] = [
  listLibraries,
  addLibrary,
  changeLibrary,
  removeLibrary,
  organiseAgain,
]
