/** What older versions stored is there after each step that makes a table anew. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'vitest'

const folder = path.resolve(import.meta.dirname, '../../../migrations')
const steps = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort()
/** The step in which rows are copied out of a table. */
const stepFrom = (table: string) =>
  steps.findLastIndex((name) => readFileSync(path.join(folder, name), 'utf8').includes(`FROM \`${table}\``))

function apply(db: DatabaseSync, names: readonly string[]): void {
  for (const name of names) db.exec(readFileSync(path.join(folder, name), 'utf8'))
}

test('jobs of the service, of sites and under a lease go over as they are', ({ expect }) => {
  const db = new DatabaseSync(':memory:')
  const step = stepFrom('site_jobs')
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

test('figures and their history go over as they are, and may be absent from then on', ({ expect }) => {
  const db = new DatabaseSync(':memory:')
  const step = stepFrom('site_users')
  apply(db, steps.slice(0, step))
  const given = {
    site_id: 3,
    username: 'keeper',
    level: 'Veteran',
    uploaded_bytes: 9_007_199_254_740_991,
    downloaded_bytes: 7,
    ratio: 1.5,
    bonus: 345_678.9,
    bonus_per_hour: null,
    seeding: 5,
    leeching: 0,
    seeding_size_bytes: 11,
    unread_messages: 0,
    hnr_unsatisfied: null,
    fetched_at_unix: 1_790_000_000,
  }
  const names = Object.keys(given)
  db.prepare(`insert into site_users (${names}) values (${names.map(() => '?')})`).run(...Object.values(given))
  db.exec(`insert into site_snapshots (site_id, day, uploaded_bytes, downloaded_bytes, bonus, ratio, seeding, seeding_size_bytes)
    values (3, '2026-01-01', 1, 2, 3.5, 0.5, 4, null)`)

  apply(db, steps.slice(step))

  expect(db.prepare('select * from site_users').all()).toEqual([
    { ...given, doubts: '[]', sources: '{}', joined_at_unix: null, seeding_points: null },
  ])
  expect(
    db
      .prepare('select * from site_snapshots')
      .all()
      .map((row) => Object.values(row)),
  ).toEqual([[3, '2026-01-01', 1, 2, 3.5, 0.5, 4, null, null]])
  db.exec('update site_users set bonus = null, unread_messages = null')
})

test('what came of a search for a subscription is told by the kind it has today', ({ expect }) => {
  const db = new DatabaseSync(':memory:')
  const step = steps.findIndex((name) => name.endsWith('_subscription_reasons.sql'))
  apply(db, steps.slice(0, step))
  const columns = [
    ['subscriptions', 'message'],
    ['subscription_torrents', 'message'],
    ['notices', 'facts'],
    ['audit_entries', 'reason'],
  ] as const
  const before = '{"kind":"hunt.told","pushes":[{"reason":{"kind":"hunt.site_busy"}}],"refused":[],"sites":[]}'
  for (const [table, column] of columns) insert(db, table, { [column]: before })
  insert(db, 'audit_entries', { reason: 'They hunt. The "kind" is not known.' })

  apply(db, steps.slice(step))

  for (const [table, column] of columns)
    expect(db.prepare(`select ${column} as kept from ${table}`).get()?.['kept'], table).toBe(
      before.replaceAll('hunt.', 'subscription.'),
    )
  expect(db.prepare('select reason from audit_entries where id = 2').get()?.['reason']).toBe(
    'They hunt. The "kind" is not known.',
  )
})

/** A row of which nothing but this matters. */
function insert(db: DatabaseSync, table: string, given: Readonly<Record<string, string>>): void {
  const needed = db
    .prepare(`select name from pragma_table_info('${table}') where "notnull" = 1 and dflt_value is null and pk = 0`)
    .all()
    .map(({ name }) => String(name))
  const row = { ...Object.fromEntries(needed.map((name) => [name, '0'])), ...given }
  const names = Object.keys(row)
  db.prepare(`insert into ${table} (${names}) values (${names.map(() => '?')})`).run(...Object.values(row))
}
