/**
 * What a file declares is written by the console's own handlers, entry by entry, and cannot be changed by anybody else
 * while the file has it.
 */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { applyConfiguration, type ConfigurationBody, type WireDeclaredItem } from '../../contract/configuration.ts'
import { addDownloader, changeDownloader, listConsoleDownloaders, removeDownloader } from '../../contract/console.ts'
import { addChannel, changeChannel, listChannels, removeChannel } from '../../contract/console-channels.ts'
import { addLibrary, changeLibrary, listLibraries, removeLibrary } from '../../contract/console-libraries.ts'
import { addSite, changeSite, listConsoleSites, removeSite } from '../../contract/console-sites.ts'
import type { RouteDeclaration } from '../../contract/route.ts'
import { settleChannel } from '../../core/channel.ts'
import {
  type AppliedEntries,
  type DeclaredEntry,
  type DeclaredStep,
  planDeclared,
  repeatedName,
} from '../../core/declared.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import { type DeclaredKind, declaredKinds } from '../../core/vocabulary.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'
import { consoleChannelRoutes, givenChannel } from './console-channels.ts'
import { consoleDownloaderRoutes, downloaderChange } from './console-downloaders.ts'
import { consoleLibraryRoutes, libraryChange } from './console-libraries.ts'
import { consoleSiteRoutes, createSiteReader } from './console-sites.ts'

const operations = {
  downloaders: {
    what: 'downloader',
    list: listConsoleDownloaders,
    add: addDownloader,
    change: changeDownloader,
    remove: removeDownloader,
  },
  libraries: { what: 'library', list: listLibraries, add: addLibrary, change: changeLibrary, remove: removeLibrary },
  sites: { what: 'site', list: listConsoleSites, add: addSite, change: changeSite, remove: removeSite },
  channels: { what: 'channel', list: listChannels, add: addChannel, change: changeChannel, remove: removeChannel },
} as const

interface Named {
  readonly id: number
  readonly name: string
}

type Handle = BoundRoute['handle']
type AnyCall = Parameters<Handle>[0]
type Applied = Partial<Record<DeclaredKind, AppliedEntries>>

/** The console's routes as they are while a file declares some of what they change. */
export function keepDeclared(
  deps: Pick<AppDeps, 'settings' | 'downloaders' | 'libraries' | 'sites' | 'channels'>,
  routes: readonly BoundRoute[],
): BoundRoute[] {
  const owned = async (kind: DeclaredKind) => new Set((await deps.settings.read('declared')).value[kind])
  return routes.map(({ route, handle }): BoundRoute => {
    const kind = declaredKinds.find((one) => Object.values(operations[one]).some((part) => part === route))
    if (kind === undefined) return { route, handle }
    const { what, list, add } = operations[kind]
    if (route.operationId === add.operationId) return { route, handle }
    if (route.operationId === list.operationId) return { route, handle: marked(handle, () => owned(kind)) }
    return {
      route,
      async handle(call) {
        const names = await owned(kind)
        const { id } = call.params as { id: number }
        const isOwned =
          names.size > 0 && (await presentOf(deps, kind)).some((one) => one.id === id && names.has(one.name))
        return isOwned ? failWith(failure('forbidden', { kind: 'from_file', what })) : handle(call)
      },
    }
  })
}

function marked(handle: Handle, owned: () => Promise<ReadonlySet<string>>): Handle {
  return async (call) => {
    const [answer, names] = await Promise.all([handle(call), owned()])
    if (!answer.ok || names.size === 0) return answer
    const body = answer.value.body as unknown as { readonly items: readonly Named[] }
    const items = body.items.map((item) => (names.has(item.name) ? { ...item, from_file: true as const } : item))
    return succeed({ ...answer.value, body: { ...body, items } as never })
  }
}

async function presentOf(
  deps: Pick<AppDeps, 'downloaders' | 'libraries' | 'sites' | 'channels'>,
  kind: DeclaredKind,
): Promise<readonly Named[]> {
  return kind === 'sites' ? (await deps.sites.list()).map(({ record }) => record) : deps[kind].list()
}

export function configurationRoutes(deps: AppDeps): BoundRoute[] {
  const bound = [
    ...consoleDownloaderRoutes(deps),
    ...consoleLibraryRoutes(deps),
    ...consoleSiteRoutes(deps),
    ...consoleChannelRoutes(deps),
  ]
  const { toChange: siteChange } = createSiteReader(deps)

  /** What a handler would refuse before it writes, so that a dry run says it as well. */
  const judges: {
    readonly [K in DeclaredKind]: (entry: ConfigurationBody[K][number]) => Promise<Result<unknown, Failure>>
  } = {
    downloaders: async (entry) => downloaderChange(entry),
    libraries: async (entry) => libraryChange(entry),
    sites: siteChange,
    async channels(entry) {
      const settled = settleChannel(givenChannel(entry), undefined)
      return settled.ok ? settled : failWith(failure('invalid_argument', settled.failure))
    },
  }

  async function judge({ kind, entry, id }: DeclaredStep): Promise<Failure | undefined> {
    // A channel that is there may have a secret that the file leaves out.
    if (entry === undefined || (kind === 'channels' && id !== undefined)) return undefined
    const judged = await judges[kind](entry as never)
    return judged.ok ? undefined : judged.failure
  }

  async function write({ kind, entry, id }: DeclaredStep, call: AnyCall): Promise<Failure | undefined> {
    if (entry === undefined) return undefined
    const route: RouteDeclaration = id === undefined ? operations[kind].add : operations[kind].change
    const handler = bound.find((one) => one.route === route)
    if (handler === undefined) throw new Error(`no route for ${route.operationId}`)
    const written = await handler.handle(call.withInput({ params: { id }, body: entry }))
    return written.ok ? undefined : written.failure
  }

  async function applied(): Promise<Applied> {
    const kept = await deps.settings.openSecret('declared')
    return kept.ok && kept.value !== '' ? (JSON.parse(kept.value) as Applied) : {}
  }

  return [
    bind(applyConfiguration, async (call) => {
      const { body, query } = call
      for (const kind of declaredKinds) {
        const at = repeatedName(body[kind])
        if (at !== undefined)
          return failWith(wrongField(`${kind}.${at}.name`, { kind: 'name_taken', what: operations[kind].what }))
      }
      if ((await deps.secrets.state()) !== 'ready')
        return failWith(failure('unavailable', { kind: 'cannot_seal', what: 'key' }))
      const before = (await deps.settings.read('declared')).value
      const entries = await applied()
      const items: WireDeclaredItem[] = []
      const names: Record<DeclaredKind, string[]> = { downloaders: [], libraries: [], sites: [], channels: [] }
      const kept: Record<DeclaredKind, Record<string, DeclaredEntry | undefined>> = {
        downloaders: {},
        libraries: {},
        sites: {},
        channels: {},
      }
      for (const kind of declaredKinds) {
        const present = new Map((await presentOf(deps, kind)).map(({ name, id }) => [name, id]))
        const owned = new Set(before[kind])
        const steps = planDeclared(kind, body[kind], owned, entries[kind] ?? {}, present)
        const refused = new Set<string>()
        for (const step of steps) {
          const { name, change, fields } = step
          const refusal =
            (await judge(step)) ?? (query.dry_run === '1' ? undefined : await write(step, call as AnyCall))
          if (refusal !== undefined) refused.add(name)
          items.push({
            kind,
            name,
            change,
            ...(fields === undefined ? {} : { fields: [...fields] }),
            ...(refusal === undefined ? {} : explained(call.say, refusal.reason)),
          })
        }
        // What was refused is as it was before, the file's or not.
        for (const entry of body[kind].filter(({ name }) => !refused.has(name) || owned.has(name))) {
          names[kind].push(entry.name)
          kept[kind][entry.name] = refused.has(entry.name) ? entries[kind]?.[entry.name] : entry
        }
      }
      if (query.dry_run !== '1' && items.length > 0) await deps.settings.write('declared', names, JSON.stringify(kept))
      return succeed({ body: { items } })
    }),
  ]
}
