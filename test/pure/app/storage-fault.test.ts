import { test } from 'vitest'
import { storageReasonOf } from '../../../workers/app/core/operating/storage-fault.ts'

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code })

test.for([
  ['a full disk, by code', coded('SQLITE_FULL'), 'machine.disk_full'],
  [
    'a full disk, by the words of the other runtime',
    new Error('D1_ERROR: database or disk is full: SQLITE_FULL'),
    'machine.disk_full',
  ],
  [
    'a full disk, below a failed query',
    new Error('Failed query', { cause: new Error('x', { cause: coded('ENOSPC') }) }),
    'machine.disk_full',
  ],
  ['a damaged database', new Error('database disk image is malformed'), 'machine.database_damaged'],
  ['what is no database', coded('SQLITE_NOTADB'), 'machine.database_damaged'],
  ['a disk that cannot be written', new Error('attempt to write a readonly database'), 'machine.disk_unwritable'],
  ['a broken rule', coded('SQLITE_CONSTRAINT'), undefined],
  ['words in the parameters of a query', new Error('Failed query: insert\nparams: SQLITE_FULL'), undefined],
  ['no error', 'SQLITE_FULL', undefined],
] as const)('%s', ([, cause, kind], { expect }) => {
  expect(storageReasonOf(cause)?.kind).toBe(kind)
})

test('a ring of causes ends', ({ expect }) => {
  const ring: Error & { cause?: unknown } = new Error('a')
  ring.cause = ring
  expect(storageReasonOf(ring)).toBeUndefined()
})
