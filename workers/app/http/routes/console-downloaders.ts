import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addDownloader,
  changeDownloader,
  type DownloaderBody,
  listConsoleDownloaders,
  removeDownloader,
  testDownloader,
  type WireConsoleDownloader,
} from '../../contract/console.ts'
import type { DownloaderSettings } from '../../core/downloader.ts'
import { parseDownloaderAddress } from '../../core/downloader-address.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import { downloadersMax } from '../../limits.ts'
import type { DownloaderChange, DownloaderRecord } from '../../ports/downloaders.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'
import { removeNamed } from '../remove-named.ts'

const noDownloader = failure('not_found', { kind: 'none', what: 'downloader' })

export function consoleDownloaderRoutes(deps: Pick<AppDeps, 'downloaders' | 'fleet'>): BoundRoute[] {
  /** What to try: the given settings, with the stored password of `id` where none is given. */
  async function settingsToTry(body: {
    type: DownloaderSettings['kind']
    address: string
    username: string
    password?: string | undefined
    id?: number | undefined
  }): Promise<Result<DownloaderSettings, Failure>> {
    const address = parseDownloaderAddress(body.address)
    if (!address.ok) return failWith(wrongField('address', address.failure))
    const given = { kind: body.type, baseUrl: address.value, username: body.username }
    if (body.password !== undefined || body.id === undefined)
      return succeed({ ...given, password: body.password ?? '' })
    const stored = await deps.downloaders.settings(body.id)
    if (stored.ok) {
      // A stored password goes only where it was meant to go: a form must not be able to fetch it from elsewhere.
      const isSamePlace = stored.value.kind === given.kind && stored.value.baseUrl === given.baseUrl
      if (!isSamePlace)
        return failWith(
          failure('invalid_argument', { kind: 'field.fill_in_again', field: 'password', changed: 'address_or_kind' }),
        )
      return succeed({ ...given, password: stored.value.password })
    }
    return failWith(
      stored.failure === 'not_found'
        ? noDownloader
        : failure('unavailable', { kind: 'cannot_open', what: 'downloader', state: stored.failure }),
    )
  }

  return [
    bind(listConsoleDownloaders, async () =>
      succeed({ body: { items: (await deps.downloaders.list()).map(toWireConsoleDownloader) } }),
    ),
    bind(addDownloader, async ({ body }) => {
      const change = downloaderChange(body)
      return change.ok ? answerStored(await deps.downloaders.add(change.value)) : change
    }),
    bind(changeDownloader, async ({ params, body }) => {
      const change = downloaderChange(body)
      return change.ok ? answerStored(await deps.downloaders.update(params.id, change.value)) : change
    }),
    bind(removeDownloader, ({ params }) => removeNamed(deps.downloaders, params.id, noDownloader)),
    bind(testDownloader, async ({ body, say }) => {
      const settings = await settingsToTry(body)
      if (!settings.ok) return settings
      const status = await deps.fleet.probe(settings.value)
      if (!status.ok) return succeed({ body: { reachable: false, ...explained(say, status.failure) } })
      const { version, freeSpaceBytes } = status.value
      return succeed({
        body: { reachable: true, version, ...(freeSpaceBytes === undefined ? {} : { free_space: freeSpaceBytes }) },
      })
    }),
  ]
}

export function downloaderChange(body: DownloaderBody): Result<DownloaderChange, Failure> {
  const address = parseDownloaderAddress(body.address)
  if (!address.ok) return failWith(wrongField('address', address.failure))
  return succeed({
    name: body.name,
    kind: body.type,
    baseUrl: address.value,
    username: body.username,
    ...(body.password === undefined ? {} : { password: body.password }),
    enabled: body.enabled,
    isDefault: body.default,
    ...(body.min_free_gib === undefined ? {} : { minFreeGib: body.min_free_gib }),
  })
}

function answerStored(
  stored: Result<DownloaderRecord, 'not_found' | 'name_taken' | 'too_many' | 'secrets'>,
): Result<{ body: WireConsoleDownloader }, Failure> {
  if (stored.ok) return succeed({ body: toWireConsoleDownloader(stored.value) })
  switch (stored.failure) {
    case 'not_found':
      return failWith(noDownloader)
    case 'name_taken':
      return failWith(wrongField('name', { kind: 'name_taken', what: 'downloader' }))
    case 'too_many':
      return failWith(failure('invalid_argument', { kind: 'too_many', what: 'downloader', limit: downloadersMax }))
    case 'secrets':
      return failWith(failure('unavailable', { kind: 'cannot_seal', what: 'downloader' }))
  }
}

function toWireConsoleDownloader(record: DownloaderRecord): WireConsoleDownloader {
  return {
    id: record.id,
    name: record.name,
    type: record.kind,
    address: record.baseUrl,
    username: record.username,
    has_password: record.hasPassword,
    enabled: record.enabled,
    default: record.isDefault,
    min_free_gib: record.minFreeGib,
  }
}
