/** Whether requests can be served now, as a monitor asks it: a word for each part, and no path of the machine. */
import { inEnglish } from '../reason/english.ts'
import type { Reason } from '../reason/reason.ts'
import { keepsFromServing, type MachineReport } from './machine.ts'

interface Part {
  readonly ok: boolean
  readonly reason?: string
}

export interface Readiness {
  readonly ready: boolean
  readonly checks: { readonly database: Part } & Readonly<Partial<Record<'migrations' | 'disk', Part>>>
}

const well: Part = { ok: true }

/**
 * `silence`: why the database does not answer. `machine` is undefined at the edge, whose platform has the disk and whose deployment the
 * migrations.
 */
export function readinessOf(silence: Reason | undefined, machine: MachineReport | undefined): Readiness {
  const problems = (machine?.problems ?? []).filter(keepsFromServing)
  const damage = problems.find(({ kind }) => kind === 'machine.database_damaged')
  const diskProblem = problems.find(({ kind }) => kind !== 'machine.database_damaged')
  const fault = silence ?? damage
  const database = fault === undefined ? well : bad(unplaced(fault))
  if (machine === undefined) return { ready: database.ok, checks: { database } }
  const { missing } = machine.migrations
  const migrations = missing.length === 0 ? well : { ok: false, reason: `Not applied: ${missing.join(', ')}` }
  const disk = diskProblem === undefined ? well : bad(unplaced(diskProblem))
  return { ready: database.ok && migrations.ok && disk.ok, checks: { database, migrations, disk } }
}

function bad(reason: Reason): Part {
  return { ok: false, reason: inEnglish(reason) }
}

/** Whoever can reach the port may ask. */
function unplaced({ kind }: Reason): Reason {
  return { kind } as Reason
}
