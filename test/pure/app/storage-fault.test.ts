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
  [
    'a database whose disk was full a moment ago',
    new Error('Failed query: select 1', { cause: new Error('internal error; reference = ***') }),
    'machine.database_silent',
  ],
  [
    'a database that starts anew',
    new Error('D1_ERROR: D1 DB reset because its code was updated.'),
    'machine.database_silent',
  ],
  [
    'an object whose storage failed',
    new Error('Internal error in Durable Object storage write caused object to be reset; reference = e1'),
    'machine.database_silent',
  ],
  [
    'an overloaded database',
    new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.'),
    'machine.database_silent',
  ],
  ['a database that is out of reach', new Error('D1_ERROR: Network connection lost.'), 'machine.database_silent'],
  ['another side that is out of reach', new Error('Network connection lost.'), undefined],
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
