/** Every group of attacks, in the order of the table. */
import type { AttackGroup } from './attack.ts'
import { credentials } from './credentials.ts'
import { floodAttacks } from './floods.ts'
import { proxyAttacks } from './proxy.ts'
import { repositories } from './repositories.ts'
import { shellLines } from './shell-lines.ts'

export const attackGroups: readonly AttackGroup[] = [repositories, credentials, shellLines, proxyAttacks, floodAttacks]
