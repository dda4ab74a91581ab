/** Every group of attacks, in the order of the table. */
import type { AttackGroup } from './attack.ts'
import { parserBombGroup } from './parser-bombs.ts'

export const attackGroups: readonly AttackGroup[] = [parserBombGroup]
