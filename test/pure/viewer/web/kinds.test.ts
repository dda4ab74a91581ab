/** The page imports no code of the server: what both hold is held together here. */
import { test } from 'vitest'
import { nodeKinds, typeKinds } from '../../../../local/indexer/core/vocabulary.ts'
import type { Relation } from '../../../../local/viewer/contract/wire.ts'
import * as server from '../../../../local/viewer/core/dead-code.ts'
import { isTypeUse } from '../../../../local/viewer/web/model/call-rows.ts'
import { furtherKinds, usualKinds } from '../../../../local/viewer/web/views/dead-code-kinds.ts'

test('dead code is asked for by the kinds the server knows, and the usual ones are its usual ones', ({ expect }) => {
  expect(usualKinds).toEqual(server.defaultKinds)
  expect(furtherKinds).toEqual(server.furtherKinds)
})

test.for(nodeKinds)('a reference to a %s is a use of a type exactly where the server says so', (kind, { expect }) => {
  const relation = { node: { kind }, edgeKinds: ['references'] } as unknown as Relation

  expect(isTypeUse(relation)).toBe(typeKinds.has(kind))
})
