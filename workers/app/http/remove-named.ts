import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SaidAbout } from '../core/audit-about.ts'
import type { Failure } from '../core/failure.ts'

interface Named {
  readonly id: number | string
  readonly name: string
}

interface Removed {
  readonly body: { readonly ok: true }
  readonly audited: SaidAbout
}

/** Takes one of several away. Which one it was is known to the audit log by its name, as nothing else tells any more. */
export async function removeNamed<Id extends number | string>(
  store: { list(): Promise<readonly Named[]>; remove(id: Id): Promise<boolean> },
  id: Id,
  missing: Failure,
): Promise<Result<Removed, Failure>> {
  const named = (await store.list()).find((one) => one.id === id)
  if (!(await store.remove(id))) return failWith(missing)
  return succeed({ body: { ok: true }, audited: { names: [named?.name ?? ''] } })
}
