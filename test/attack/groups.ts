/** Every group of attacks, in the order of the table. */
import type { AttackGroup } from './attack.ts'

import { shellLines } from './shell-lines.ts'

export const attackGroups: readonly AttackGroup[] = [shellLines]
