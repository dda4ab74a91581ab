/** The runtime in this process: databases, objects and bindings around one script. */
import { isIP } from 'node:net'
import path from 'node:path'
import { isPrivateAddress } from '../../workers/gateway/core/address-guard.ts'
import { publicLookup } from '../gateway/outgoing-pool.ts'
import { faultLine } from '../workerd/log-lines.ts'
import { type AlarmClock, systemAlarmClock } from './alarms.ts'
import { createWorkersModule, type WorkersModule } from './cloudflare-workers.ts'
import { Commits } from './commits.ts'
import { D1 } from './d1.ts'
import { type ObjectClass, ObjectNamespace } from './durable-objects.ts'
import { runInLife } from './lives.ts'
import type { SyncFile } from './log-sync.ts'
import { ObjectIds } from './object-ids.ts'
import { createOutgoingFetch, type OutgoingWatch } from './outgoing-fetch.ts'
import { createPlatform, type Platform } from './platform.ts'
import { type DamageWatch, SqliteFile } from './sqlite-file.ts'

export interface RuntimeShape {
  /** The script's name, a part of every object's id. */
  readonly name: string
  readonly databases: readonly { readonly binding: string; readonly id: string }[]
  readonly objects: readonly { readonly binding: string; readonly className: string }[]
}

export interface RuntimeOptions {
  readonly shape: RuntimeShape
  /** With `d1` and `do` below it. */
  readonly stateFolder: string
  /** Texts and services beside databases and objects. */
  readonly bindings: Readonly<Record<string, unknown>>
  readonly log: (line: string) => void
  readonly clock?: AlarmClock
  readonly objectIdleMs?: number
  readonly watch?: OutgoingWatch
  readonly onDamage?: DamageWatch
  /** How logs of databases come to the disk, where it is not the system's own way. */
  readonly sync?: SyncFile
}

/** A script, loaded. */
export interface ScriptModule {
  readonly default: { fetch(request: Request, env: object, context: object): Response | Promise<Response> }
  readonly [className: string]: unknown
}

export interface Runtime {
  readonly databases: ReadonlyMap<string, D1>
  readonly objects: ReadonlyMap<string, ObjectNamespace>
  /** Loads the script; from then on its alarms ring. */
  load(read: (platform: Platform, workers: WorkersModule) => ScriptModule | Promise<ScriptModule>): Promise<void>
  fetch(request: Request): Promise<Response>
  /** What the script's module exports beside its handler. */
  script<Exports>(): Exports
  close(): Promise<void>
}

/** Of D1 workerd makes objects as well; this is their class. */
const databaseKey = 'miniflare-D1DatabaseObject'

export function openRuntime(options: RuntimeOptions): Runtime {
  const { shape, stateFolder, log, watch, onDamage } = options
  const watching = watch === undefined ? {} : { watch }
  const commits = new Commits(options.sync)
  const tellFailure = (what: string, cause: unknown) => log(faultLine(what, cause))
  const toAnywhere = createOutgoingFetch(watching)
  const platform = createPlatform(toAnywhere.fetch, log, (cause) => tellFailure('script_failed', cause))
  const toPublic = createOutgoingFetch({ lookup: publicLookup, judge: refusePrivate, ...watching })
  let script: ScriptModule | undefined
  const loaded = (): ScriptModule => {
    if (script === undefined) throw new Error('the script is not loaded')
    return script
  }
  const env: Record<string, unknown> = {}

  const files: SqliteFile[] = []
  const databases = new Map<string, D1>()
  const databaseIds = new ObjectIds(databaseKey)
  for (const { binding, id } of shape.databases) {
    const file = path.join(stateFolder, 'd1', databaseKey, `${databaseIds.fromName(id)}.sqlite`)
    const opened = new SqliteFile(file, commits, true, { onDamage })
    files.push(opened)
    databases.set(binding, new D1(opened))
  }
  const objects = new Map<string, ObjectNamespace>()
  for (const { binding, className } of shape.objects) {
    const namespace = new ObjectNamespace({
      uniqueKey: `${shape.name}-${className}`,
      folder: path.join(stateFolder, 'do'),
      commits,
      onDamage,
      clock: options.clock ?? systemAlarmClock,
      classOf: () => loaded()[className] as ObjectClass,
      env,
      onFailure: (what, cause) => tellFailure(what.replaceAll(' ', '_'), cause),
      ...(options.objectIdleMs === undefined ? {} : { idleMs: options.objectIdleMs }),
    })
    objects.set(binding, namespace)
  }
  const network = { fetch: toPublic.fetch }
  Object.assign(env, { PUBLIC_NETWORK: network }, options.bindings, Object.fromEntries([...databases, ...objects]))
  const fetch = (request: Request): Promise<Response> =>
    runInLife(undefined, async () => loaded().default.fetch(request, env, { waitUntil: () => undefined }))
  const workers = createWorkersModule(env, (cause) => tellFailure('background_failed', cause))

  return {
    databases,
    objects,
    async load(read) {
      script = await read(platform, workers)
      for (const namespace of objects.values()) namespace.start()
    },
    fetch,
    script: <Exports>() => loaded() as Exports,
    async close() {
      for (const namespace of objects.values()) namespace.close()
      for (const file of files) file.close()
      await Promise.all([toAnywhere.close(), toPublic.close()])
    },
  }
}

function refusePrivate({ hostname }: URL): void {
  const address = hostname.replace(/^\[|\]$/g, '')
  // What a name leads to is judged when it is resolved.
  if (isIP(address) !== 0 && isPrivateAddress(address)) throw new TypeError('The address is not public')
}
