/** At once where a host has it, later where it must be waited for. */
export type Eventually<T> = T | Promise<T>

/** Waiting for what is there already costs a turn of the queue and the objects of one: asked where every request comes by. */
export function isPending<T>(value: Eventually<T>): value is Promise<T> {
  return value instanceof Promise
}
