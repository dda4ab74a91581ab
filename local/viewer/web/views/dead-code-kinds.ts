import type { NodeKind } from '../../contract/wire.ts'

/** Kinds the server can be asked for beyond the usual ones. */
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
