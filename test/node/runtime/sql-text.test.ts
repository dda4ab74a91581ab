import { describe, test } from 'vitest'
import { statementsOf } from '../../../local/runtime/sql-text.ts'

test.for([
  ['one', 'select 1', ['select 1']],
  ['one with its end', 'select 1;', ['select 1']],
  ['two', 'select 1; select 2', ['select 1', 'select 2']],
  ['an end in a text', "select ';'", ["select ';'"]],
  ['an end in a text with a quote', "select 'a'';'; select 2", ["select 'a'';'", 'select 2']],
  ['an end in a name', 'select ";", `;`, [;]', ['select ";", `;`, [;]']],
  ['an end in a comment', 'select 1 -- ;\n, 2 /* ; */', ['select 1 -- ;\n, 2 /* ; */']],
  ['nothing but a comment', '-- one\n/* two */ ;', []],
  ['nothing', ' ; ; ', []],
  [
    'a trigger with ends of its own',
    'create trigger t after insert on a begin update a set b = 1; delete from c; end; select 1',
    ['create trigger t after insert on a begin update a set b = 1; delete from c; end', 'select 1'],
  ],
  [
    'a trigger with a choice in it',
    'create temp trigger t after insert on a begin select case when 1 then 2 end; end; select 1',
    ['create temp trigger t after insert on a begin select case when 1 then 2 end; end', 'select 1'],
  ],
] as const)('a text of %s', ([, text, statements], { expect }) => {
  expect(statementsOf(text).map((one) => one.text)).toEqual(statements)
})

test.for([
  ['select ?, ?', 2],
  ['select ?2', 2],
  ['select ?2, ?', 3],
  ['select :a, :b, :a', 2],
  ['select \'?\', "?", [?] -- ?', 0],
  ['select a ->> ? from b', 1],
] as const)('%s takes %i values', ([text, count], { expect }) => {
  expect(statementsOf(text)[0]?.parameters).toBe(count)
})

describe('a statement', () => {
  test.for([
    ['select 1', true],
    ['SELECT 1', true],
    ['-- first\nvalues (1)', true],
    ['with a as (select 1) select * from a', true],
    ['with a as (select 1) insert into b select * from a', false],
    ['explain select 1', true],
    ['insert into a values (1) returning b', false],
    ['update a set b = 1', false],
    ['replace into a values (1)', false],
    ['pragma foreign_keys', false],
    ['create table a (b)', false],
  ] as const)('%s only reads: %s', ([text, isRead], { expect }) => {
    expect(statementsOf(text)[0]?.isRead).toBe(isRead)
  })

  test.for(['begin', 'BEGIN IMMEDIATE', 'commit', 'end', 'rollback', 'savepoint a', 'release a'])(
    '%s is a matter of the runtime',
    (text, { expect }) => {
      expect(statementsOf(text)[0]?.isTransactionControl).toBe(true)
    },
  )
})
