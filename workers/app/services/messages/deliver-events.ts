import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { openChannel } from '../../adapters/channel-secrets.ts'
import type { Outbox, StoredEvent } from '../../adapters/d1/outbox.ts'
import type { ChannelMessage, ChannelSettings } from '../../core/channel.ts'
import type { ChannelFault } from '../../core/channel-fault.ts'
import { type EventFacts, eventValues } from '../../core/event-values.ts'
import { inChinese } from '../../core/reason/chinese.ts'
import { channelReason, templateReason } from '../../core/reason/of-fault.ts'
import type { NamedReason, Reason } from '../../core/reason/reason.ts'
import { sayIn } from '../../core/reason/say.ts'
import { eventIn, templateEventOf } from '../../core/template-events.ts'
import { channelsAtOnce, deliveryRunMs, eventItemsMax, eventTextCharactersMax } from '../../limits.ts'
import type { MessageTemplates, TemplateTexts } from '../../ports/messages.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { OwnerLocaleReader } from '../../ports/settings.ts'

export interface DeliverDeps {
  readonly clock: Clock
  readonly logger: Logger
  readonly outbox: Outbox
  readonly templates: Pick<MessageTemplates, 'render'>
  readonly locale: OwnerLocaleReader
  /** The settings of a channel, which rest sealed. */
  open(channelId: number, sealed: string): ReturnType<typeof openChannel>
  /** One attempt. */
  send(settings: ChannelSettings, message: ChannelMessage, nowUnix: number): Promise<Result<void, ChannelFault>>
}

type Channel = Awaited<ReturnType<Outbox['openChannels']>>[number]

/**
 * Makes messages of what happened and sends what is due: of each channel the oldest message first, the next one once it
 * was taken. A message goes only after the channel has taken it, so that one may come twice and none gets lost. Gives
 * back when there is something to do again, and which channels failed.
 */
export async function deliverEvents(
  deps: DeliverDeps,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }> {
  const { clock, outbox } = deps
  const startedMs = clock.nowMs()
  await addressAll(deps)
  await outbox.giveUp(unixSeconds(clock))
  const waiting = await outbox.openChannels()
  const errors: NamedReason[] = []
  const worker = async () => {
    for (let channel = waiting.shift(); channel !== undefined; channel = waiting.shift()) {
      const fault = await serve(deps, channel, startedMs + deliveryRunMs)
      if (fault !== undefined) errors.push({ name: channel.name, reason: channelReason(fault) })
    }
  }
  await Promise.all(Array.from({ length: channelsAtOnce }, worker))
  return {
    dueAtUnix: await outbox.nextDue(unixSeconds(clock)),
    ...(errors.length === 0 ? {} : { reason: { kind: 'several', of: errors } }),
  }
}

/** In the words that the owner has for it now. */
async function addressAll(deps: DeliverDeps): Promise<void> {
  const { clock, outbox } = deps
  const events = await outbox.unaddressed()
  const nowUnix = unixSeconds(clock)
  for (const event of events) await outbox.address(event, await render(deps, event), nowUnix)
  const newest = events.at(-1)
  if (newest !== undefined) await outbox.forget(newest.id, nowUnix)
}

async function render(deps: DeliverDeps, { type, facts, atUnix }: StoredEvent): Promise<TemplateTexts> {
  const { timeZone, language } = await deps.locale.read()
  const values = eventValues(
    eventIn(templateEventOf(type), language),
    JSON.parse(facts) as EventFacts,
    { atUnix, timeZone },
    { textCharactersMax: eventTextCharactersMax, itemsMax: eventItemsMax },
    sayIn(language),
  )
  const { rendered, fault } = await deps.templates.render(type, values, language)
  if (fault !== undefined) deps.logger.error('template_failed', { type, reason: inChinese(templateReason(fault)) })
  return rendered
}

/** Until a message fails, nothing is left, or the time is over. */
async function serve(deps: DeliverDeps, channel: Channel, untilMs: number): Promise<ChannelFault | undefined> {
  const { clock, logger, outbox } = deps
  while (clock.nowMs() < untilMs) {
    const message = await outbox.oldest(channel.id)
    if (!message || message.dueAtUnix > unixSeconds(clock)) return undefined
    const settings = await deps.open(channel.id, channel.sealedSecrets)
    const sent = settings.ok
      ? await deps.send(settings.value, { ...message, id: message.noticeId }, unixSeconds(clock))
      : ({ ok: false, failure: { kind: 'secrets', state: settings.failure } } as const)
    if (!sent.ok) {
      logger.info('notice_not_taken', {
        channel_id: message.channelId,
        type: message.type,
        reason: sent.failure.kind,
        attempts: message.attempts + 1,
      })
      await outbox.failed(message, sent.failure, unixSeconds(clock))
      return sent.failure
    }
    await outbox.taken(message, unixSeconds(clock))
  }
  return undefined
}
