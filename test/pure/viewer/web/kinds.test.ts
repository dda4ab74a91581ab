/** The page imports no code of the server: what both hold is held together here. */
import { test } from 'vitest'
import { nodeKinds, typeKinds } from '../../../../local/indexer/core/vocabulary.ts'
import type { Relation } from '../../../../local/viewer/contract/wire.ts'
import { isTypeUse } from '../../../../local/viewer/web/model/call-rows.ts'

test.for(nodeKinds)('a reference to a %s is a use of a type exactly where the server says so', (kind, { expect }) => {
  const relation = { node: { kind }, edgeKinds: ['references'] } as unknown as Relation

  expect(isTypeUse(relation)).toBe(typeKinds.has(kind))
})
