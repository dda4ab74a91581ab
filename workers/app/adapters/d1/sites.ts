import { and, asc, count, eq, ne, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type SiteOverrides, siteOverrides } from '../../contract/site-definition.ts'
import type { SiteCredentials, SiteProfile } from '../../core/site.ts'
import { proxyHost } from '../../core/site-proxy.ts'
import type { SiteKind } from '../../core/vocabulary.ts'
import { sitesMax } from '../../limits.ts'
import type { SecretBox } from '../../ports/secrets.ts'
import type { SiteChange, SiteEntry, SiteRecord, SiteStore } from '../../ports/sites.ts'
import { openCredentials, sealCredentials } from '../site-credentials.ts'
import { readyDefinitions, siteProfile } from '../sites/site-definitions.ts'
import { type Brought, broughtFor, findBrought } from './own-definitions.ts'
import { jobs } from './schema/jobs.ts'
import { siteSignIns, siteSnapshots, sites, siteUsers } from './schema/sites.ts'

type Row = typeof sites.$inferSelect

export function createSiteStore(db: DrizzleD1Database, deps: { clock: Clock; secrets: SecretBox }): SiteStore {
  async function byId(id: number): Promise<Row | undefined> {
    const [row] = await db.select().from(sites).where(eq(sites.id, id))
    return row
  }

  async function isNameTaken(name: string, exceptId: number): Promise<boolean> {
    const rows = await db
      .select({ id: sites.id })
      .from(sites)
      .where(and(eq(sites.name, name), ne(sites.id, exceptId)))
    return rows.length > 0
  }

  async function credentialColumns(id: number, change: SiteChange, present: Row | undefined) {
    if (givenIn(change).length === 0) return succeed({})
    const kept = await keptOf(present, change)
    if (!kept.ok) return failWith('secrets' as const)
    const credentials = mergeCredentials(kept.value, change)
    const { cookie, apiKey, proxy } = credentials
    const answered = Object.keys(credentials.answers ?? {})
    const flags = {
      answered: JSON.stringify(answered),
      hasCookie: cookie !== '',
      hasApiKey: apiKey !== '',
      proxyHost: proxy === undefined ? '' : proxyHost(proxy),
      ...(await cookieColumns(change, present)),
    }
    if (!flags.hasCookie && !flags.hasApiKey && proxy === undefined && answered.length === 0)
      return succeed({ ...flags, sealedCredentials: '' })
    if ((await deps.secrets.state()) !== 'ready') return failWith('secrets' as const)
    return succeed({ ...flags, sealedCredentials: await sealCredentials(deps.secrets, id, credentials) })
  }

  /** The same cookie once more is no new one: a file of settings is read at every start. */
  async function cookieColumns({ cookie }: Given, present: Row | undefined) {
    if (cookie === undefined) return {}
    if (cookie === '') return { cookieFrom: null, cookieAtUnix: null }
    if (present?.hasCookie === true && present.cookieAtUnix !== null) {
      const stored = await openCredentials(deps.secrets, present.id, present.sealedCredentials)
      if (stored.ok && stored.value.cookie === cookie) return {}
    }
    return { cookieFrom: 'pasted' as const, cookieAtUnix: unixSeconds(deps.clock) }
  }

  /** Of what is stored, only what the change leaves out has to be opened. */
  async function keptOf(
    present: Row | undefined,
    change: Given,
  ): Promise<Result<SiteCredentials, 'missing' | 'changed'>> {
    const isNeeded =
      present !== undefined &&
      ((present.hasCookie && change.cookie === undefined) ||
        (present.hasApiKey && change.apiKey === undefined) ||
        (present.proxyHost !== '' && change.proxy === undefined) ||
        present.answered !== '[]')
    return isNeeded ? openCredentials(deps.secrets, present.id, present.sealedCredentials) : succeed(noCredentials)
  }

  function columnsOf(change: SiteChange) {
    return {
      name: change.name,
      displayName: change.displayName,
      kind: change.kind,
      definition: change.definition,
      baseUrl: change.baseUrl,
      enabled: change.enabled,
      autoSignIn: change.autoSignIn,
      inactivityDays: change.inactivityDays,
      remindBeforeDays: change.remindBeforeDays,
      capacityGib: change.capacityGib,
      overrides: JSON.stringify(change.overrides),
      updatedAtUnix: unixSeconds(deps.clock),
    }
  }

  return {
    definitions: () => readyDefinitions,

    async list() {
      const rows = await db.select().from(sites).orderBy(asc(sites.id))
      const brought = await broughtFor(db, rows)
      return rows.map((row) => toEntry(row, brought))
    },

    async usual(id) {
      const row = await byId(id)
      if (row === undefined) return undefined
      const brought = await broughtFor(db, [row])
      return profileOf(row.kind, row.definition, {}, brought.get(row.definition))
    },

    async find(name) {
      const [row] = await db.select().from(sites).where(eq(sites.name, name))
      return row === undefined ? undefined : toEntry(row, await broughtFor(db, [row]))
    },

    async trial(change, id) {
      const brought = change.kind === 'cardigann' ? await findBrought(db, change.definition) : undefined
      const given = {
        kind: change.kind,
        baseUrl: change.baseUrl,
        profile: profileOf(change.kind, change.definition, change.overrides, brought?.overrides),
        ...(brought === undefined ? {} : { definition: brought.tree }),
      }
      if (id === undefined) return succeed({ ...given, credentials: mergeCredentials(noCredentials, change) })
      const row = await byId(id)
      if (row === undefined) return failWith('not_found')
      const stored = await keptOf(row, change)
      if (!stored.ok) return stored
      // Stored credentials never go to another place than the one they were stored for, nor past who was not there then:
      // over plain http a proxy reads along.
      const isSamePlace = new URL(row.baseUrl).origin === new URL(change.baseUrl).origin
      const isReadAlong = (change.proxy ?? '') !== '' && change.baseUrl.startsWith('http:')
      const { proxy } = stored.value
      const kept =
        isSamePlace && !isReadAlong ? stored.value : { ...noCredentials, ...(proxy === undefined ? {} : { proxy }) }
      return succeed({ ...given, credentials: mergeCredentials(kept, change) })
    },

    async add(change) {
      const [totals] = await db
        .select({
          count: count(),
          newest: sql<number>`coalesce((select seq from sqlite_sequence where name = 'sites'), 0)`,
        })
        .from(sites)
      if ((totals?.count ?? 0) >= sitesMax) return failWith('too_many')
      if (await isNameTaken(change.name, 0)) return failWith('name_taken')
      // The row's id is part of what the seal authenticates, so it is chosen before the row exists.
      const id = (totals?.newest ?? 0) + 1
      const credentials = await credentialColumns(id, change, undefined)
      if (!credentials.ok) return credentials
      const [row] = await db
        .insert(sites)
        .values({ id, ...columnsOf(change), ...credentials.value, createdAtUnix: unixSeconds(deps.clock) })
        .returning()
      if (row === undefined) throw new Error('the site row was not written')
      return succeed(toRecord(row, await broughtFor(db, [row])))
    },

    async update(id, change) {
      const present = await byId(id)
      if (present === undefined) return failWith('not_found')
      if (await isNameTaken(change.name, id)) return failWith('name_taken')
      const credentials = await credentialColumns(id, change, present)
      if (!credentials.ok) return credentials
      const [row] = await db
        .update(sites)
        .set({ ...columnsOf(change), ...credentials.value, revision: sql`${sites.revision} + 1` })
        .where(eq(sites.id, id))
        .returning()
      return row === undefined ? failWith('not_found') : succeed(toRecord(row, await broughtFor(db, [row])))
    },

    async remove(id) {
      const [removed] = await db.batch([
        db.delete(sites).where(eq(sites.id, id)).returning({ id: sites.id }),
        db.delete(siteUsers).where(eq(siteUsers.siteId, id)),
        db.delete(siteSnapshots).where(eq(siteSnapshots.siteId, id)),
        db.delete(siteSignIns).where(eq(siteSignIns.siteId, id)),
        db.delete(jobs).where(and(eq(jobs.scope, 'site'), eq(jobs.subjectId, id))),
      ])
      return removed.length > 0
    },
  }
}

type Given = Pick<SiteChange, 'cookie' | 'apiKey' | 'proxy' | 'answers'>

const noCredentials: SiteCredentials = { cookie: '', apiKey: '' }

function givenIn({ cookie, apiKey, proxy, answers }: Given): readonly unknown[] {
  return [cookie, apiKey, proxy, answers].filter((one) => one !== undefined)
}

/** What is given wins, the empty text too. */
function mergeCredentials(kept: SiteCredentials, given: Given): SiteCredentials {
  const proxy = given.proxy ?? kept.proxy ?? ''
  const answers = Object.entries({ ...kept.answers, ...given.answers }).filter(([, answer]) => answer !== '')
  return {
    cookie: given.cookie ?? kept.cookie,
    apiKey: given.apiKey ?? kept.apiKey,
    ...(answers.length === 0 ? {} : { answers: Object.fromEntries(answers) }),
    ...(proxy === '' ? {} : { proxy }),
  }
}

/** `brought` is what a definition of the owner's sets, for the kind that has one. */
function profileOf(
  kind: SiteKind,
  definition: string,
  overrides: SiteOverrides,
  brought: SiteOverrides | undefined,
): SiteProfile {
  if (kind === 'cardigann') return siteProfile(kind, brought ?? {}, overrides)
  const ready = readyDefinitions.find(({ id }) => id === definition)
  return siteProfile(kind, ready?.kind === kind ? (ready.overrides ?? {}) : {}, overrides)
}

function toEntry(row: Row, brought: Brought): SiteEntry {
  const record = toRecord(row, brought)
  const { id, name, kind, revision, baseUrl, capacityGib, sealedCredentials } = row
  return {
    record,
    target: {
      id,
      name,
      kind,
      revision,
      baseUrl,
      capacityGib,
      sealedCredentials,
      profile: record.profile,
      ...(kind === 'cardigann' ? { definition: row.definition } : {}),
    },
  }
}

function toRecord(row: Row, brought: Brought): SiteRecord {
  const {
    sealedCredentials: _,
    overrides: stored,
    answered,
    revision: __,
    createdAtUnix: ___,
    updatedAtUnix: ____,
    ...rest
  } = row
  const { lastActiveAtUnix, lastProbeAtUnix, lastProbeStatus, cookieFrom, cookieAtUnix, ...columns } = rest
  const overrides = overridesIn(stored)
  return {
    ...columns,
    overrides,
    answered: JSON.parse(answered) as string[],
    profile: profileOf(row.kind, row.definition, overrides, brought.get(row.definition)),
    ...(cookieFrom === null ? {} : { cookieFrom }),
    ...(cookieAtUnix === null ? {} : { cookieAtUnix }),
    ...(lastActiveAtUnix === null ? {} : { lastActiveAtUnix }),
    ...(lastProbeAtUnix === null ? {} : { lastProbeAtUnix }),
    ...(lastProbeStatus === null ? {} : { lastProbeStatus }),
  }
}

/** Most sites have none, and reading a list reads them all. */
function overridesIn(stored: string): SiteOverrides {
  return stored === '{}' ? {} : siteOverrides.parse(JSON.parse(stored))
}
