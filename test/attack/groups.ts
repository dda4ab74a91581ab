/** Every group of attacks, in the order of the table. */
import type { AttackGroup } from './attack.ts'
import { floodAttacks } from './floods.ts'
import { proxyAttacks } from './proxy.ts'

export const attackGroups: readonly AttackGroup[] = [proxyAttacks, floodAttacks]
