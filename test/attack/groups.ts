/** Every group of attacks, in the order of the table. */
import type { AttackGroup } from './attack.ts'
import { rivals } from './rivals.ts'

export const attackGroups: readonly AttackGroup[] = [rivals]
