import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { EventFacts } from '../../core/event-values.ts'
import { gibBytes } from '../../core/gib-bytes.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { storeReason } from '../../core/reason/stored-reason.ts'
import type { Clause } from '../../core/rules/clause.ts'
import { askedOfDay, type DayBounds } from '../../core/rules/day-bound.ts'
import type { Candidate } from '../../core/rules/filter-rule.ts'
import type { FeedItemStatus } from '../../core/vocabulary.ts'
import {
  feedAttemptsMax,
  feedBackOffSecondsMax,
  feedItemSeconds,
  feedItemsKeptMax,
  feedItemsTrimmed,
  feedMinutesMin,
  feedPushSeconds,
} from '../../limits.ts'
import type { SecretBox } from '../../ports/secrets.ts'
import { recordEvent } from './events.ts'
import { addressContext, enterContext, type FeedItemRow, type FeedRow } from './feeds.ts'
import { takenToday } from './filter-rules.ts'
import { dueAfterRun, firstDueAt, isEnabledAt, longestDue, planJob } from './own-pace.ts'
import { feedItems, feeds } from './schema/feeds.ts'

const daySeconds = 24 * 3600

/** What was decided about one item. */
export interface FeedDecision {
  readonly candidate: Candidate
  readonly releaseKey: string
  readonly status: FeedItemStatus
  readonly ruleId: number | undefined
  readonly ruleName: string
  readonly clauses: readonly Clause[]
}

/** What a rule brought in one run. */
export interface FeedDigest {
  readonly site: string
  /** Its name, or what takes the place of one. */
  readonly rule: string | Reason
  readonly downloader: string | Reason
  readonly items: readonly { readonly title: string; readonly size: number; readonly free: boolean }[]
}

export interface FeedEnd {
  readonly reason: Reason | undefined
  /** It could not be read at all: it is asked less often, until it can. */
  readonly isUnread: boolean
  /** What the answer said of itself; left out when there was none. */
  readonly marks?: { readonly etag: string; readonly lastModified: string } | undefined
  readonly foundNew: boolean
  readonly digests: readonly FeedDigest[]
  /** At least 0 and below 1: neighbours do not stay together. */
  readonly random: number
}

/**
 * What runs of feeds write down. Every statement holds for the newest run of its feed only: an older one, which another
 * run or new settings overtook, changes nothing any more.
 */
export interface FeedRunStore {
  nextDue(siteId: number): Promise<number | undefined>
  /** Begins a run of the feed that waits longest. Undefined when none is due. */
  begin(siteId: number): Promise<FeedRow | undefined>
  /** Begins a run of one feed whatever it is due; undefined when it is off or gone. */
  beginNow(feedId: number): Promise<FeedRow | undefined>
  /** Those that are channels, and on. */
  channels(): Promise<FeedRow[]>
  unheard(feedId: number, reason: Reason | undefined): Promise<void>
  bringForward(siteId: number): Promise<void>
  plan(siteId: number): Promise<void>
  /** Its address; undefined when it cannot be opened. */
  addressOf(run: FeedRow): Promise<{ readonly address: string } | { readonly state: 'missing' | 'changed' }>
  /** What opens a channel, from what is sealed; undefined where it cannot be read. */
  enterOf(feedId: number, sealed: string): Promise<string | undefined>
  /** Goes by the push records: what came of pushes. One that came to nothing is judged again. */
  settle(run: FeedRow, overId?: string): Promise<void>
  /** Of these of a site, the ones that were decided about or pushed already, by whichever feed. */
  known(site: string, torrentIds: readonly string[]): Promise<ReadonlySet<string>>
  /** These of a site stand in a feed still. */
  shown(site: string, torrentIds: readonly string[]): Promise<void>
  waiting(run: FeedRow): Promise<FeedItemRow[]>
  /** What each rule took in the last 24 hours. */
  takenToday(): ReturnType<typeof takenToday>
  /** The digests are of what is told of and no more: both are written, or neither. */
  note(run: FeedRow, decisions: readonly FeedDecision[], digests?: readonly FeedDigest[]): Promise<void>
  /** Which of these, just decided about, are to be pushed. One release is taken once, from whichever site it came first. */
  taking(run: FeedRow, torrentIds: readonly string[]): Promise<FeedItemRow[]>
  /** Before it is pushed. `full`: what other sites brought in the meantime fills what its rule may take in a day. */
  attempt(run: FeedRow, torrentId: string, bounds: DayBounds): Promise<'begun' | 'full' | 'overtaken'>
  ended(run: FeedRow, torrentId: string, status: FeedItemStatus, reason?: Reason): Promise<void>
  finish(run: FeedRow, end: FeedEnd): Promise<void>
}

export function createFeedRunStore(
  db: DrizzleD1Database,
  { clock, secrets }: { readonly clock: Clock; readonly secrets: SecretBox },
): FeedRunStore {
  const now = () => unixSeconds(clock)

  function digestEvents(run: FeedRow, what: 'told' | 'taken', digests: readonly FeedDigest[], where?: SQL) {
    return digests.flatMap(({ rule, ...digest }, at): BatchItem<'sqlite'>[] => {
      const facts = { ...digest, rule, items: [...digest.items] } satisfies EventFacts
      const key = `rss.matched:${run.id}:${run.run}:${what}:${at}`
      return [...recordEvent(db, { type: 'rss.matched', key, facts }, now(), where)]
    })
  }

  return {
    nextDue: (siteId) => firstDueAt(db, feeds, siteId),

    async begin(siteId) {
      const first = await longestDue(db, feeds, siteId, now())
      if (first === undefined) return undefined
      const [row] = await db
        .update(feeds)
        // One that is cut off is made up for before long, and one that always is does not fill the service's time.
        .set({ run: first.run + 1, dueAtUnix: now() + feedMinutesMin * 60 })
        .where(and(eq(feeds.id, first.id), eq(feeds.run, first.run)))
        .returning()
      return row
    },

    async beginNow(feedId) {
      const [row] = await db
        .update(feeds)
        .set({ run: sql`${feeds.run} + 1` })
        .where(and(eq(feeds.id, feedId), eq(feeds.enabled, true)))
        .returning()
      return row
    },

    channels() {
      return db
        .select()
        .from(feeds)
        .where(and(eq(feeds.enabled, true), ne(feeds.announces, '')))
        .orderBy(asc(feeds.id))
    },

    async unheard(feedId, reason) {
      await db
        .update(feeds)
        .set({ unheard: reason === undefined ? null : storeReason(reason) })
        .where(eq(feeds.id, feedId))
    },

    async bringForward(siteId) {
      await db.update(feeds).set({ dueAtUnix: now() }).where(isEnabledAt(feeds, siteId))
    },

    async plan(siteId) {
      await planJob(db, 'feeds', feeds, siteId)
    },

    async addressOf(run) {
      const opened = await secrets.open(run.sealedAddress, addressContext(run.id))
      return opened.ok ? { address: opened.value } : { state: opened.failure }
    },

    async enterOf(feedId, sealed) {
      const opened = await secrets.open(sealed, enterContext(feedId))
      return opened.ok ? opened.value : undefined
    },

    async settle(run, overId = '') {
      const ofFeed = sql`feed_id = ${run.id} and ${isFenced(run)}`
      const isOver = sql`(torrent_id = ${overId} or decided_at_unix <= ${now() - feedPushSeconds})`
      await db.batch([
        db
          .update(feedItems)
          .set({ status: 'taken', reason: null })
          .where(
            sql`${ofFeed} and status in ('taking', 'waiting', 'failed') and ${hasRecord(sql`p.pushed = 1 and p.source in ('free_download', 'filter_rule')`)}`,
          ),
        // What it was taken for may not hold any more: what no run came to is judged again as well.
        db
          .update(feedItems)
          .set({ status: sql`iif(attempts < ${feedAttemptsMax}, 'waiting', 'failed')` })
          .where(
            sql`${ofFeed} and status = 'taking' and (attempts = 0 or ${isOver}) and not ${hasRecord(sql`p.started_at_unix is not null`)}`,
          ),
      ])
    },

    async known(site, torrentIds) {
      const ids = sql`(select value from json_each(${JSON.stringify(torrentIds)}))`
      const rows = await db.all<{ id: string }>(sql`
        select torrent_id as id from push_records
          where site = ${site} and torrent_id in ${ids} and (pushed = 1 or started_at_unix is not null)
        union
        select torrent_id from feed_items where site = ${site} and torrent_id in ${ids}`)
      return new Set(rows.map(({ id }) => id))
    },

    async shown(site, torrentIds) {
      await db
        .update(feedItems)
        .set({ shownAtUnix: now() })
        .where(
          sql`site = ${site} and torrent_id in (select value from json_each(${JSON.stringify(torrentIds)}))
            and shown_at_unix <= ${now() - daySeconds}`,
        )
    },

    waiting(run) {
      return db
        .select()
        .from(feedItems)
        .where(and(eq(feedItems.feedId, run.id), eq(feedItems.status, 'waiting')))
        .orderBy(asc(feedItems.id))
    },

    takenToday: () => takenToday(db, now()),

    async note(run, decisions, digests = []) {
      if (decisions.length === 0) return
      const nowUnix = now()
      const rows = decisions.map((one) => ({
        site: one.candidate.site,
        torrentId: one.candidate.torrentId,
        title: one.candidate.title,
        releaseKey: one.releaseKey,
        status: one.status,
        candidate: JSON.stringify(one.candidate),
        ruleId: one.ruleId ?? null,
        ruleName: one.ruleName,
        clauses: JSON.stringify(one.clauses),
      }))
      const field = (name: keyof (typeof rows)[number]) => sql`item.value ->> ${`$.${name}`}`
      const noting = db
        .insert(feedItems)
        .select(
          sql`select null, ${run.id}, ${field('site')}, ${field('torrentId')}, ${field('title')}, ${field('releaseKey')}, ${field('status')},
            ${field('candidate')}, ${field('ruleId')}, ${field('ruleName')}, ${field('clauses')}, 0, null, ${nowUnix}, 0, ${nowUnix}
            from json_each(${JSON.stringify(rows)}) as item where ${isFenced(run)}`,
        )
        .onConflictDoUpdate({
          target: [feedItems.site, feedItems.torrentId],
          set: {
            title: sql`excluded.title`,
            releaseKey: sql`excluded.release_key`,
            status: sql`excluded.status`,
            candidate: sql`excluded.candidate`,
            ruleId: sql`excluded.rule_id`,
            ruleName: sql`excluded.rule_name`,
            clauses: sql`excluded.clauses`,
            decidedAtUnix: sql`excluded.decided_at_unix`,
          },
          setWhere: sql`feed_items.feed_id = excluded.feed_id and feed_items.status = 'waiting'`,
        })
      await db.batch([noting, ...digestEvents(run, 'told', digests, isFenced(run))])
    },

    async taking(run, torrentIds) {
      const ids = sql`(select value from json_each(${JSON.stringify(torrentIds)}))`
      // One that was tried before may be on its way, unless it is one of these: they are only about to be.
      const twin = sql`select 1 from feed_items twin where twin.release_key = feed_items.release_key and twin.id <> feed_items.id
        and (twin.status in ('taken', 'present', 'overruled') or twin.status = 'taking' and (twin.id < feed_items.id
          or twin.attempts > 0 and not (twin.feed_id = ${run.id} and twin.torrent_id in ${ids})))`
      // Two sites may have decided at once: the rows tell which one was first.
      await db.run(sql`
        update feed_items set status = 'left', clauses = json_insert(clauses, '$[#]', json_object(
          'asked', json(${JSON.stringify(oneRelease)}), 'state', 'unmet', 'found', (select site from feed_items twin
            where twin.release_key = feed_items.release_key and twin.id <> feed_items.id
              and twin.status in ('taking', 'taken', 'present', 'overruled') order by id limit 1)))
        where feed_id = ${run.id} and status = 'taking' and torrent_id in ${ids} and release_key <> '' and exists (${twin})`)
      return db
        .select()
        .from(feedItems)
        .where(sql`feed_id = ${run.id} and status = 'taking' and torrent_id in ${ids}`)
        .orderBy(asc(feedItems.id))
    },

    async attempt(run, torrentId, bounds) {
      const isOurs = sql`feed_id = ${run.id} and torrent_id = ${torrentId} and status = 'taking' and ${isFenced(run)}`
      // Runs of several sites decide at once, each by what was taken before: one after another they are counted here.
      const ofOthers = (what: SQL) => sql`(select ${what} from feed_items other where other.rule_id = feed_items.rule_id
        and other.id <> feed_items.id and other.decided_at_unix > ${now() - daySeconds}
        and (other.status = 'taken' or other.status = 'taking' and other.attempts > 0))`
      const bytes = ofOthers(sql`coalesce(sum(other.candidate ->> '$.sizeBytes'), 0)`)
      const sizes = {
        per_day: { found: ofOthers(sql`count(*)`), next: sql`1`, unit: 1, shown: ofOthers(sql`count(*)`) },
        per_day_gib: {
          found: bytes,
          next: sql`coalesce(candidate ->> '$.sizeBytes', 0)`,
          unit: gibBytes,
          shown: sql`round(${bytes} * 1.0 / ${gibBytes}, 2)`,
        },
      }
      const asked = askedOfDay(bounds).map((one) => {
        const { found, next, unit, shown } = sizes[one.field]
        return { one, shown, hasRoom: sql`${found} + ${next} <= ${one.value * unit}` }
      })
      const begin = db.update(feedItems).set({ attempts: sql`attempts + 1`, decidedAtUnix: now() })
      if (asked.length === 0)
        return (await begin.where(isOurs).returning({ id: feedItems.id })).length > 0 ? 'begun' : 'overtaken'
      const hasRoom = sql.join(
        asked.map((one) => one.hasRoom),
        sql` and `,
      )
      // The clauses about its day are the last of a rule that has such bounds.
      const clauses = asked.map(
        (
          { one, shown, hasRoom },
          at,
        ) => sql`${`$[#-${asked.length - at}]`}, json_object('asked', json(${JSON.stringify(one)}),
          'state', iif(${hasRoom}, 'met', 'unmet'), 'found', ${shown}, 'from', 'pushes')`,
      )
      const [begun, left] = await db.batch([
        begin.where(sql`${isOurs} and ${hasRoom}`).returning({ id: feedItems.id }),
        db
          .update(feedItems)
          .set({ status: 'left', clauses: sql`json_set(clauses, ${sql.join(clauses, sql`, `)})` })
          .where(sql`${isOurs} and not (${hasRoom})`)
          .returning({ id: feedItems.id }),
      ])
      return begun.length > 0 ? 'begun' : left.length > 0 ? 'full' : 'overtaken'
    },

    async ended(run, torrentId, status, reason) {
      await db
        .update(feedItems)
        .set({
          status: status === 'failed' ? sql`iif(attempts < ${feedAttemptsMax}, 'waiting', 'failed')` : status,
          reason: reason === undefined ? null : storeReason(reason),
        })
        .where(sql`feed_id = ${run.id} and torrent_id = ${torrentId} and status = 'taking' and ${isFenced(run)}`)
    },

    async finish(run, { reason, isUnread, marks, foundNew, digests, random }) {
      const nowUnix = now()
      const failures = isUnread ? run.failures + 1 : 0
      const everySeconds = run.everyMinutes * 60
      const backOffSeconds = Math.min(everySeconds * 2 ** Math.min(failures, 20), feedBackOffSecondsMax)
      const waitSeconds = failures === 0 ? everySeconds : Math.max(everySeconds, backOffSeconds)
      const told = digestEvents(run, 'taken', digests)
      const oldUnix = nowUnix - feedItemSeconds
      // By their age through its index; counted are they only where there were ever so many.
      const old = sql`
        select id from feed_items where found_at_unix <= ${oldUnix} and shown_at_unix <= ${oldUnix} and status <> 'taking'
        union
        select id from feed_items where (select max(id) from feed_items) > ${feedItemsKeptMax} and status <> 'taking'
          and id <= (select id from feed_items order by id desc limit 1 offset ${feedItemsKeptMax})
        order by id limit ${feedItemsTrimmed}`
      await db.batch([
        db
          .update(feeds)
          .set({
            dueAtUnix: dueAfterRun(feeds, run, nowUnix + waitSeconds + Math.floor(random * waitSeconds * jitterShare)),
            lastFinishedAtUnix: nowUnix,
            lastError: reason === undefined ? null : storeReason(reason),
            failures,
            ...(foundNew ? { lastItemAtUnix: nowUnix } : {}),
            ...(marks === undefined ? {} : { ...marks, primed: true, listedAtUnix: nowUnix }),
          })
          .where(and(eq(feeds.id, run.id), eq(feeds.run, run.run))),
        db.delete(feedItems).where(sql`id in (${old})`),
        ...told,
      ])
    },
  }
}

/** Of the time between two looks, so that feeds that began together do not stay together. */
const jitterShare = 0.1

const oneRelease = { field: 'same_release', op: 'is', value: false } as const satisfies Clause['asked']

/** In statements about items. */
function isFenced({ id, run }: FeedRow): SQL {
  return sql`exists (select 1 from feeds where id = ${id} and run = ${run})`
}

/** Whether its push record is like that. */
function hasRecord(condition: SQL): SQL {
  return sql`exists (select 1 from push_records p
    where p.site = feed_items.site and p.torrent_id = feed_items.torrent_id and ${condition})`
}
