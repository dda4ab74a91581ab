/** What older versions planned is still planned after the step that gives jobs a scope. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'vitest'

const folder = path.resolve(import.meta.dirname, '../../../migrations')
const steps = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort()
const step = steps.findIndex((name) => readFileSync(path.join(folder, name), 'utf8').includes('FROM `site_jobs`'))

function apply(db: DatabaseSync, names: readonly string[]): void {
  for (const name of names) db.exec(readFileSync(path.join(folder, name), 'utf8'))
}

test('rows of the service, of sites and under a lease go over as they are', ({ expect }) => {
  const db = new DatabaseSync(':memory:')
  apply(db, steps.slice(0, step))
  db.exec(`insert into site_jobs values
    (0, 'tasks', 10, 0, null, null, null, null),
    (0, 'subscriptions', 20, 90, 5, 6, 1, null),
    (3, 'brush', 30, 0, 7, 8, 0, '{"kind":"site.timeout"}'),
    (3, 'sign_in', 40, 0, 9, 9, 0, '一句话')`)

  apply(db, steps.slice(step))

  const rows = db.prepare('select * from jobs order by due_at_unix').all()
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['service', 0, 'tasks', 10, 0, null, null, null, null],
    ['service', 0, 'subscriptions', 20, 90, 5, 6, 1, null],
    ['site', 3, 'brush', 30, 0, 7, 8, 0, '{"kind":"site.timeout"}'],
    ['site', 3, 'sign_in', 40, 0, 9, 9, 0, '一句话'],
  ])
  expect(db.prepare("select name from sqlite_master where name = 'site_jobs'").all()).toEqual([])
})
