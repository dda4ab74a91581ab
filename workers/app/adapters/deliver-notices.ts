import { and, asc, eq, isNull, lt, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { type ChannelFault, isRefusal } from '../core/channel-fault.ts'
import { type NoticeFacts, noticeValues } from '../core/notice-values.ts'
import { inChinese } from '../core/reason/chinese.ts'
import { channelReason, templateReason } from '../core/reason/of-fault.ts'
import type { NamedReason, Reason } from '../core/reason/reason.ts'
import { sayIn } from '../core/reason/say.ts'
import { storeReason } from '../core/reason/stored-reason.ts'
import { eventIn, templateEventOf } from '../core/template-events.ts'
import {
  channelsAtOnce,
  deliveriesMax,
  deliveryRefusalsMax,
  deliveryRetrySeconds,
  deliveryRunMs,
  deliverySeconds,
  noticeItemsMax,
  noticeSeconds,
  noticesMax,
  noticesPerRun,
  noticeTextCharactersMax,
} from '../limits.ts'
import type { MessageTemplates, TemplateTexts } from '../ports/messages.ts'
import type { Logger } from '../ports/runtime.ts'
import type { SecretBox } from '../ports/secrets.ts'
import type { OwnerLocaleReader } from '../ports/settings.ts'
import { openChannel } from './channel-secrets.ts'
import { wants } from './d1/notices.ts'
import { channels, deliveries, notices } from './d1/schema/messages.ts'
import { type ChannelSending, sendToChannel } from './send-to-channel.ts'

export interface DeliverDeps {
  readonly clock: Clock
  readonly logger: Logger
  readonly secrets: SecretBox
  readonly templates: Pick<MessageTemplates, 'render'>
  readonly sending: ChannelSending
  readonly locale: OwnerLocaleReader
}

type Channel = typeof channels.$inferSelect
type Delivery = typeof deliveries.$inferSelect

/**
 * Makes messages of what happened and sends what is due: of each channel the oldest message first, the next one once it
 * was taken. A message goes only after the channel has taken it, so that one may come twice and none gets lost. Gives
 * back when there is something to do again, and which channels failed.
 */
export async function deliverNotices(
  db: DrizzleD1Database,
  deps: DeliverDeps,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }> {
  const startedMs = deps.clock.nowMs()
  await spread(db, deps)
  await giveUp(db, deps)
  const open = await db.select().from(channels).where(eq(channels.enabled, true))
  const errors: NamedReason[] = []
  const waiting = [...open]
  const worker = async () => {
    for (let channel = waiting.shift(); channel !== undefined; channel = waiting.shift()) {
      const fault = await serve(db, deps, channel, startedMs + deliveryRunMs)
      if (fault !== undefined) errors.push({ name: channel.name, reason: channelReason(fault) })
    }
  }
  await Promise.all(Array.from({ length: channelsAtOnce }, worker))
  return {
    dueAtUnix: await nextDue(db, unixSeconds(deps.clock)),
    ...(errors.length === 0 ? {} : { reason: { kind: 'several', of: errors } }),
  }
}

/** One message for each channel that wants to know, in the words that the owner has for it now. */
async function spread(db: DrizzleD1Database, deps: DeliverDeps): Promise<void> {
  const rows = await db
    .select()
    .from(notices)
    .where(isNull(notices.spreadAtUnix))
    .orderBy(asc(notices.id))
    .limit(noticesPerRun)
  const nowUnix = unixSeconds(deps.clock)
  for (const notice of rows) {
    const { title, text } = await render(deps, notice)
    await db.batch([
      db
        .insert(deliveries)
        .select(
          sql`select null, ${notice.id}, id, ${notice.type}, ${title}, ${text}, ${notice.atUnix}, ${nowUnix}, 0 from channels where ${wants(notice.type)}`,
        )
        .onConflictDoNothing(),
      db.update(notices).set({ spreadAtUnix: nowUnix }).where(eq(notices.id, notice.id)),
    ])
  }
  if (rows.length === 0) return
  const newest = rows.at(-1)?.id ?? 0
  await db.run(sql`
    delete from notices where spread_at_unix is not null
      and (at_unix < ${nowUnix - noticeSeconds} or id <= ${newest - noticesMax})`)
}

async function render(deps: DeliverDeps, notice: typeof notices.$inferSelect): Promise<TemplateTexts> {
  const { timeZone, language } = await deps.locale.read()
  const event = eventIn(templateEventOf(notice.type), language)
  const values = noticeValues(
    event,
    JSON.parse(notice.facts) as NoticeFacts,
    { atUnix: notice.atUnix, timeZone },
    { textCharactersMax: noticeTextCharactersMax, itemsMax: noticeItemsMax },
    sayIn(language),
  )
  const { rendered, fault } = await deps.templates.render(notice.type, values, language)
  if (fault !== undefined)
    deps.logger.error('template_failed', { type: notice.type, reason: inChinese(templateReason(fault)) })
  return rendered
}

/** What is no news any more, and what is too much for a channel that takes nothing. */
async function giveUp(db: DrizzleD1Database, { clock }: DeliverDeps): Promise<void> {
  const isOld = lt(deliveries.atUnix, unixSeconds(clock) - deliverySeconds)
  const places = sql`row_number() over (partition by channel_id order by id desc)`
  const isTooMany = sql`${deliveries.id} in (select id from (select id, ${places} as place from deliveries) where place > ${deliveriesMax})`
  for (const isOver of [isOld, isTooMany]) {
    const [one] = await db.select({ id: deliveries.id }).from(deliveries).where(isOver).limit(1)
    if (one === undefined) continue
    await db.batch([
      db.update(channels).set({
        lost: sql`lost + (select count(*) from deliveries where channel_id = channels.id and ${isOver})`,
      }),
      db.delete(deliveries).where(isOver),
    ])
  }
}

/** Until a message fails, nothing is left, or the time is over. */
async function serve(
  db: DrizzleD1Database,
  deps: DeliverDeps,
  channel: Channel,
  untilMs: number,
): Promise<ChannelFault | undefined> {
  while (deps.clock.nowMs() < untilMs) {
    const message = await oldest(db, channel.id)
    if (message === undefined || message.dueAtUnix > unixSeconds(deps.clock)) return undefined
    const settings = await openChannel(deps.secrets, channel.id, channel.sealedSecrets)
    const sent = settings.ok
      ? await sendToChannel(settings.value, { ...message, id: message.noticeId }, deps.sending, unixSeconds(deps.clock))
      : ({ ok: false, failure: { kind: 'secrets', state: settings.failure } } as const)
    if (!sent.ok) {
      await noteFailure(db, deps, message, sent.failure)
      return sent.failure
    }
    await db.batch([
      db.delete(deliveries).where(eq(deliveries.id, message.id)),
      db
        .update(channels)
        .set({ lastAtUnix: unixSeconds(deps.clock), lastOk: true, lastError: null })
        .where(eq(channels.id, channel.id)),
    ])
  }
  return undefined
}

async function oldest(db: DrizzleD1Database, channelId: number): Promise<Delivery | undefined> {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(eq(deliveries.channelId, channelId))
    .orderBy(asc(deliveries.id))
    .limit(1)
  return row
}

async function noteFailure(
  db: DrizzleD1Database,
  { clock, logger }: DeliverDeps,
  message: Delivery,
  fault: ChannelFault,
): Promise<void> {
  const nowUnix = unixSeconds(clock)
  const attempts = message.attempts + 1
  const isHopeless = isRefusal(fault) && attempts >= deliveryRefusalsMax
  const pauseSeconds = deliveryRetrySeconds[attempts - 1] ?? deliveryRetrySeconds.at(-1) ?? 0
  const withId = eq(deliveries.id, message.id)
  logger.info('notice_not_taken', { channel_id: message.channelId, type: message.type, reason: fault.kind, attempts })
  await db.batch([
    isHopeless
      ? db.delete(deliveries).where(withId)
      : db
          .update(deliveries)
          .set({ attempts, dueAtUnix: nowUnix + pauseSeconds })
          .where(withId),
    db
      .update(channels)
      .set({
        lastAtUnix: nowUnix,
        lastOk: false,
        lastError: storeReason(channelReason(fault)),
        ...(isHopeless ? { lost: sql`${channels.lost} + 1` } : {}),
      })
      .where(eq(channels.id, message.channelId)),
  ])
}

/** Of each open channel the oldest message decides. */
async function nextDue(db: DrizzleD1Database, nowUnix: number): Promise<number | undefined> {
  const [untold] = await db.select({ id: notices.id }).from(notices).where(isNull(notices.spreadAtUnix)).limit(1)
  if (untold !== undefined) return nowUnix
  const isOldest = sql`${deliveries.id} in (select min(id) from deliveries group by channel_id)`
  const [due] = await db
    .select({ atUnix: sql<number | null>`min(${deliveries.dueAtUnix})` })
    .from(deliveries)
    .innerJoin(channels, eq(channels.id, deliveries.channelId))
    .where(and(eq(channels.enabled, true), isOldest))
  return due?.atUnix ?? undefined
}
