/** Kinds whose dead code is looked for: those that are meant where nothing is said, and those that are asked for. */
import type { NodeKind } from '../contract/wire.ts'

export const usualKinds: readonly NodeKind[] = [
  'function',
  'method',
  'class',
  'component',
  'interface',
  'struct',
  'trait',
  'protocol',
  'enum',
  'union',
  'type_alias',
]
export const furtherKinds: readonly NodeKind[] = [
  'variable',
  'constant',
  'property',
  'field',
  'enum_member',
  'namespace',
  'module',
]
