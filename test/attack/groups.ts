/** Every group of attacks, in the order of the table. */
import type { AttackGroup } from './attack.ts'

export const attackGroups: readonly AttackGroup[] = []
