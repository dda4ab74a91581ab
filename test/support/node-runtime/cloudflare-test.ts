/** What the suites of the Worker import as `cloudflare:test`, on the Node runtime. */
import type { Runtime } from '../../../local/runtime/compose.ts'
import type {
  ObjectContext,
  ObjectInstance,
  ObjectNamespace,
  ObjectStub,
} from '../../../local/runtime/durable-objects.ts'
import type { ObjectId } from '../../../local/runtime/object-ids.ts'

let used: Runtime | undefined

export function useRuntime(runtime: Runtime): void {
  used = runtime
}

function runtime(): Runtime {
  if (used === undefined) throw new Error('the set-up file has opened no runtime')
  return used
}

function namespaceOf(stub: ObjectStub): { namespace: ObjectNamespace; id: ObjectId } {
  const id: ObjectId = stub.id
  for (const namespace of runtime().objects.values())
    try {
      namespace.idFromString(id.toString())
      return { namespace, id }
    } catch {
      // An id says of itself which class it is of.
    }
  throw new Error('the object is of no class')
}

export function runInDurableObject<T>(
  stub: ObjectStub,
  look: (instance: ObjectInstance, context: ObjectContext) => T | Promise<T>,
): Promise<T> {
  const { namespace, id } = namespaceOf(stub)
  return namespace.inside(id, look)
}

export function runDurableObjectAlarm(stub: ObjectStub): Promise<boolean> {
  const { namespace, id } = namespaceOf(stub)
  return namespace.ringNow(id)
}

export async function listDurableObjectIds(namespace: ObjectNamespace): Promise<ObjectId[]> {
  return namespace.storedIds()
}

export async function evictDurableObject(stub: ObjectStub): Promise<void> {
  const { namespace, id } = namespaceOf(stub)
  namespace.evict(id)
}

export async function abortAllDurableObjects(): Promise<void> {
  for (const namespace of runtime().objects.values()) namespace.abortAll('Application called abortAllDurableObjects().')
}
