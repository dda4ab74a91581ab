/** What an attack run is made of: groups of attacks on the default configuration, each with what became of it. */

/**
 * `stopped`: refused or without effect. `asked`: the owner was asked first. `contained`: it ran, and reached nothing outside
 * of where it may work. `bounded`: it ended within its time and memory. `hole`: it got somewhere. `skipped`: a part that
 * it needs is not on this machine; `detail` names it.
 */
export type AttackFate = 'stopped' | 'asked' | 'contained' | 'bounded' | 'hole' | 'skipped'

export interface AttackOutcome {
  /** What was tried, as one line. */
  readonly attack: string
  readonly fate: AttackFate
  /** Why it is a hole or was skipped, or what was measured. */
  readonly detail?: string
}

export interface AttackOptions {
  /** As `npm test` runs it: a part of each corpus that ends within seconds. */
  readonly isShort: boolean
  readonly log: (line: string) => void
}

export interface AttackGroup {
  readonly name: string
  readonly about: string
  /** Starts what it needs itself, on folders of its own, and ends it. */
  run(options: AttackOptions): Promise<readonly AttackOutcome[]>
}
