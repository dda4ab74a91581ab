/** The one table that an attack run prints. */
import type { AttackFate, AttackOutcome } from './attack.ts'

export interface GroupResult {
  readonly name: string
  readonly outcomes: readonly AttackOutcome[]
}

const fates = ['stopped', 'asked', 'contained', 'bounded', 'hole', 'skipped'] as const satisfies readonly AttackFate[]

export function holesOf(results: readonly GroupResult[]): readonly string[] {
  return results.flatMap(({ name, outcomes }) =>
    outcomes
      .filter(({ fate }) => fate === 'hole')
      .map(({ attack, detail }) => `${name}: ${attack}${detail === undefined ? '' : ` (${detail})`}`),
  )
}

export function attackTable(results: readonly GroupResult[]): string {
  const counted = results.map(({ name, outcomes }) => [
    name,
    String(outcomes.length),
    ...fates.map((fate) => String(outcomes.filter((outcome) => outcome.fate === fate).length)),
  ])
  const all = results.flatMap(({ outcomes }) => outcomes)
  const rows = [
    ['group', 'attacks', ...fates],
    ...counted,
    ['all', String(all.length), ...fates.map((fate) => String(all.filter((one) => one.fate === fate).length))],
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n')
}
