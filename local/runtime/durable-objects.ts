/**
 * Durable Objects in this process: one life of each at a time, its calls as plain data, its writes kept before anything
 * of it is heard outside. Files and names are workerd's, so that either runtime goes on where the other has stopped.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { type AlarmClock, Alarms, type Ring, type RingOutcome } from './alarms.ts'
import type { Commits } from './commits.ts'
import { blockConcurrencyMsMax, objectIdleMs } from './limits.ts'
import { beforeLeaving, currentLife, Life, runInLife } from './lives.ts'
import { type ObjectId, ObjectIds } from './object-ids.ts'
import { ObjectStorage } from './object-storage.ts'
import { errorCopy, plainCopy } from './plain-data.ts'
import { SqlFault } from './sql-fault.ts'
import type { DamageWatch } from './sqlite-file.ts'

/** What an object gets of the runtime. */
export interface ObjectContext {
  readonly id: ObjectId
  readonly storage: ObjectStorage
  waitUntil(work: Promise<unknown>): void
  blockConcurrencyWhile<T>(work: () => Promise<T>): Promise<T>
  abort(reason?: string): void
}

/** An object as its class makes it. */
export interface ObjectInstance {
  alarm?(ring: { readonly retryCount: number; readonly isRetry: boolean }): unknown
  fetch?(request: Request): Response | Promise<Response>
}

export type ObjectClass = new (context: ObjectContext, env: never) => ObjectInstance

// biome-ignore lint/suspicious/noExplicitAny: which methods an object has is known to its class alone
export type ObjectStub = any

export interface NamespaceOptions {
  /** What ids are made from: the name of the script and that of the class. */
  readonly uniqueKey: string
  /** Where the classes' folders are. */
  readonly folder: string
  readonly commits: Commits
  readonly clock: AlarmClock
  /** Known once the script is loaded. */
  readonly classOf: () => ObjectClass
  readonly env: object
  /** Failures that nobody waits for. */
  readonly onFailure: (what: string, cause: unknown) => void
  readonly idleMs?: number
  readonly onDamage?: DamageWatch | undefined
}

export class ObjectNamespace {
  readonly #options: NamespaceOptions
  readonly #ids: ObjectIds
  readonly #hosts = new Map<string, ObjectHost>()
  readonly #alarms: Alarms

  constructor(options: NamespaceOptions) {
    this.#options = options
    this.#ids = new ObjectIds(options.uniqueKey)
    this.#alarms = new Alarms({
      folder: this.#folder,
      clock: options.clock,
      ring: (id, ring) => this.#host(this.#ids.fromString(id)).ring(ring),
      onFailure: options.onFailure,
      nameOf: (id) => this.#hosts.get(id)?.id.name,
    })
  }

  idFromName(name: string): ObjectId {
    return this.#ids.fromName(name)
  }

  newUniqueId(): ObjectId {
    return this.#ids.unique()
  }

  idFromString(text: string): ObjectId {
    return this.#ids.fromString(text)
  }

  get(id: ObjectId): ObjectStub {
    return stubOf(id, () => this.#host(id))
  }

  getByName(name: string): ObjectStub {
    return this.get(this.idFromName(name))
  }

  /** The script is there: alarms may ring. */
  start(): void {
    this.#alarms.start()
  }

  /** Those that keep something. */
  storedIds(): ObjectId[] {
    return readdirSync(this.#folder)
      .flatMap((file) => /^([0-9a-f]{64})\.sqlite$/.exec(file)?.[1] ?? [])
      .map((text) => this.#ids.fromString(text))
  }

  /** Looks into an object in a turn of its own, as one of its methods would. */
  inside<T>(id: ObjectId, look: (instance: ObjectInstance, context: ObjectContext) => T | Promise<T>): Promise<T> {
    return this.#host(id).use(look)
  }

  ringNow(id: ObjectId): Promise<boolean> {
    return this.#alarms.ringNow(id.toString())
  }

  /** Puts the object out of memory; what it has written is kept first. */
  evict(id: ObjectId): void {
    this.#hosts.get(id.toString())?.evict()
  }

  /** Ends what runs at once, as a crash would. */
  abortAll(reason: string): void {
    for (const host of this.#hosts.values()) host.reset(new Error(reason))
  }

  close(): void {
    this.#alarms.stop()
    for (const host of this.#hosts.values()) host.evict()
    this.#alarms.close()
  }

  get #folder(): string {
    return path.join(this.#options.folder, this.#options.uniqueKey)
  }

  #host(id: ObjectId): ObjectHost {
    const text = id.toString()
    let host = this.#hosts.get(text)
    if (host === undefined) {
      const file = path.join(this.#folder, `${text}.sqlite`)
      host = new ObjectHost(id, file, this.#alarms, this.#options, () => this.#hosts.delete(text))
      this.#hosts.set(text, host)
    }
    return host
  }
}

interface Living {
  readonly life: Life
  readonly context: ObjectContext
  readonly storage: ObjectStorage
  readonly instance: ObjectInstance
  /** Whoever comes waits for this; undefined when the way is free. */
  readonly gate: () => Promise<void> | undefined
}

class ObjectHost {
  readonly id: ObjectId
  readonly #file: string
  readonly #alarms: Alarms
  readonly #options: NamespaceOptions
  readonly #forget: () => void
  #living: Living | undefined
  #busy = 0
  #idle: NodeJS.Timeout | undefined

  constructor(id: ObjectId, file: string, alarms: Alarms, options: NamespaceOptions, forget: () => void) {
    this.id = id
    this.#file = file
    this.#alarms = alarms
    this.#options = options
    this.#forget = forget
  }

  async use<T>(work: (instance: ObjectInstance, context: ObjectContext) => T | Promise<T>): Promise<T> {
    this.#begin()
    try {
      const living = this.#live()
      const { life, instance, context, storage, gate } = living
      for (let wait = gate(); wait !== undefined; wait = gate()) await life.outlast(wait)
      const outcome = runInLife(life, async () => work(instance, context))
      try {
        return await life.outlast(outcome)
      } finally {
        // A failure stands on what was written as well.
        const open = storage.settled()
        if (open !== undefined) await open
      }
    } finally {
      this.#end()
    }
  }

  async ring({ retryCount, isForced }: Ring): Promise<RingOutcome> {
    const due = await this.use((_, { storage }) => storage.storedAlarm())
    if (due === undefined || (due > this.#options.clock.nowMs() && !isForced)) return { laterMs: due }
    try {
      return await this.use<RingOutcome>(async (instance, { storage }) => {
        if (instance.alarm === undefined) throw new TypeError('the class has no alarm()')
        storage.ring()
        try {
          await instance.alarm({ retryCount, isRetry: retryCount > 0 })
        } catch (error) {
          storage.unheard()
          throw error
        }
        storage.heard()
        return 'heard' as const
      })
    } catch (error) {
      this.#options.onFailure('an alarm failed', error)
      return 'failed'
    }
  }

  evict(): void {
    const living = this.#living
    if (living === undefined) return
    this.#living = undefined
    living.storage.close()
    living.life.end(new Error('The object was put out of memory.'))
    this.#rest()
  }

  reset(reason: Error): void {
    const living = this.#living
    if (living === undefined) return
    this.#living = undefined
    living.life.end(reason)
    living.storage.drop(new SqlFault(reason.message, 'SQLITE_ABORT', reason))
    this.#rest()
  }

  #live(): Living {
    if (this.#living !== undefined) return this.#living
    const life: Life = new Life(() => storage.settled())
    const storage = new ObjectStorage({
      id: this.id.toString(),
      file: this.#file,
      commits: this.#options.commits,
      alarms: this.#alarms,
      check: () => life.check(),
      onLost: (reason) => this.#resetIf(life, reason),
      onDamage: this.#options.onDamage,
      onFailure: this.#options.onFailure,
    })
    let gate: Promise<void> | undefined
    const context: ObjectContext = {
      id: this.id,
      storage,
      waitUntil: (work) => {
        this.#begin()
        work
          .catch((cause: unknown) => life.isOver || this.#options.onFailure('work of an object failed', cause))
          .finally(() => this.#end())
      },
      blockConcurrencyWhile: (work) => {
        const outcome = bounded(work(), blockConcurrencyMsMax)
        const closed = outcome.then(
          () => undefined,
          (cause: unknown) => this.#resetIf(life, cause instanceof Error ? cause : new Error(String(cause))),
        )
        const before = gate
        const own = (before === undefined ? closed : Promise.all([before, closed])).then(() => {
          if (gate === own) gate = undefined
        })
        gate = own
        // A start that fails is told to those who wait for it.
        outcome.catch(() => undefined)
        return outcome
      },
      abort: (reason) => this.#resetIf(life, new Error(reason ?? 'The object was reset.')),
    }
    try {
      const instance = runInLife(life, () => new (this.#options.classOf())(context, this.#options.env as never))
      this.#living = { life, context, storage, instance, gate: () => gate }
      return this.#living
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error))
      life.end(reason)
      storage.drop(new SqlFault(reason.message, 'SQLITE_ABORT', reason))
      throw error
    }
  }

  #resetIf(life: Life, reason: Error): void {
    if (this.#living?.life === life) this.reset(reason)
    else life.end(reason)
  }

  #begin(): void {
    this.#busy += 1
    clearTimeout(this.#idle)
    this.#idle = undefined
  }

  #end(): void {
    this.#busy -= 1
    this.#rest()
  }

  #rest(): void {
    if (this.#busy > 0) return
    clearTimeout(this.#idle)
    this.#idle = undefined
    if (this.#living === undefined) this.#forget()
    else this.#idle = setTimeout(() => this.evict(), this.#options.idleMs ?? objectIdleMs).unref()
  }
}

function bounded<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('A start of the object took too long.')), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Every method of the object's class, over a copy of plain data each way. */
function stubOf(id: ObjectId, hostOf: () => ObjectHost): ObjectStub {
  return new Proxy(Object.create(null), {
    get(_, name) {
      if (name === 'id') return id
      if (name === 'name') return id.name
      // A stub is no promise.
      if (typeof name !== 'string' || name === 'then') return undefined
      if (name === 'fetch')
        return (...args: ConstructorParameters<typeof Request>) => fetchFrom(hostOf, new Request(...args))
      return (...args: readonly unknown[]) => call(hostOf, name, args)
    },
  })
}

async function call(hostOf: () => ObjectHost, name: string, args: readonly unknown[]): Promise<unknown> {
  const given = plainCopy(args)
  if (currentLife() !== undefined) await beforeLeaving()
  try {
    return await hostOf().use(async (instance) => {
      const method: unknown = Reflect.get(Object.getPrototypeOf(instance) as object, name, instance)
      if (typeof method !== 'function' || name === 'constructor' || name in Object.prototype)
        throw new TypeError(`The RPC receiver does not implement the method "${name}".`)
      return plainCopy(await method.apply(instance, given))
    })
  } catch (error) {
    throw error instanceof Error ? Object.assign(errorCopy(error), { remote: true }) : error
  }
}

async function fetchFrom(hostOf: () => ObjectHost, request: Request): Promise<Response> {
  await beforeLeaving()
  return hostOf().use((instance) => {
    if (instance.fetch === undefined) throw new TypeError('The RPC receiver does not implement the method "fetch".')
    return instance.fetch(request)
  })
}
