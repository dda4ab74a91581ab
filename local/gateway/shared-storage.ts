import type { KeyStore, ResponseStore, RouteStore } from '../../workers/gateway/ports.ts'
import type { SharedParts } from './node-compose.ts'
import type { ProcessCalls } from './process-calls.ts'
import type { OpenStorage } from './storage.ts'

type KeyMethod = Exclude<keyof KeyStore, 'isDurable' | 'isAwaited'>
type StoreMethod = keyof ResponseStore

const keyMethods: Readonly<Record<KeyMethod, true>> = {
  enter: true,
  reserve: true,
  settle: true,
  add: true,
  keys: true,
  key: true,
  change: true,
  renew: true,
  endOldSecret: true,
  revoke: true,
  forget: true,
  usage: true,
  providerSteps: true,
  calls: true,
  keepBody: true,
  body: true,
}
const storeMethods: Readonly<Record<StoreMethod, true>> = {
  put: true,
  get: true,
  items: true,
  delete: true,
  forget: true,
}
const routeMethods: Readonly<Record<keyof RouteStore, true>> = { routes: true, change: true, changes: true }

type Method = (...args: never[]) => Promise<unknown>

/** Keys and answers that another process has, which is the only one that writes: so budgets hold for all of them. */
export function storageOfOwner({ call }: Pick<ProcessCalls, 'call'>, isDurable: boolean): SharedParts {
  const methods = <Name extends string>(of: string, names: Readonly<Record<Name, true>>) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, (...args: unknown[]) => call(`${of}.${name}`, ...args)]))
  return {
    keyStore: { isDurable, isAwaited: isDurable, ...methods('keys', keyMethods) } as unknown as KeyStore,
    responseStore: methods('answers', storeMethods) as unknown as ResponseStore,
    routeStore: methods('routes', routeMethods) as unknown as RouteStore,
    metricsOfOthers: () => call('metrics') as Promise<readonly string[]>,
  }
}

/** Answers for the storage to one other process, and releases what that process had reserved when it is gone. */
export function ownerOfStorage(storage: OpenStorage) {
  const reservations = new Set<string>()
  const { keyStore, responseStore, routeStore } = storage
  return {
    async answer(name: string, args: readonly unknown[]): Promise<unknown> {
      const [of, method = ''] = name.split('.')
      if (of === 'answers' && Object.hasOwn(storeMethods, method)) {
        return (responseStore[method as StoreMethod] as Method)(...(args as never[]))
      }
      if (of === 'routes' && Object.hasOwn(routeMethods, method)) {
        return (routeStore[method as keyof RouteStore] as Method)(...(args as never[]))
      }
      if (of !== 'keys' || !Object.hasOwn(keyMethods, method)) throw new Error(`nobody answers to ${name}`)
      const value = await (keyStore[method as KeyMethod] as Method)(...(args as never[]))
      if (method === 'reserve' && value === undefined) reservations.add(String(args[1]))
      if (method === 'settle') reservations.delete(String(args[2]))
      return value
    },
    release() {
      storage.release([...reservations])
      reservations.clear()
    },
  }
}
