import type { Clock } from '#shared/kernel/clock.ts'
import { parseJson } from '#shared/kernel/json-record.ts'
import { type PriceList, sayPriceFault } from '#shared/models/price-list.ts'
import { Canceller } from '../core/cancellation.ts'
import { collectText } from '../core/collect-text.ts'
import { withFeed } from '../core/keys/price-feed.ts'
import { redactedCause } from '../core/redaction.ts'
import { priceFeedBytesMax, priceFeedMs, priceFeedRefreshMs, priceFeedRetryMs } from '../limits.ts'
import type { Log, Outgoing, Timers } from '../ports.ts'
import { type KeepAlive, SharedReading } from './shared-reading.ts'

interface LivePricesParts {
  readonly feed: string
  readonly outgoing: Outgoing
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  readonly keepAlive: KeepAlive
}

/** Prices and limits that are read from a feed when they are old. One that cannot be read leaves the list as it is. */
export function livePrices(own: PriceList, parts: LivePricesParts): PriceList {
  let list = own
  let dueMs = 0
  const reading = new SharedReading(() => readFeed(list, parts), parts.keepAlive, parts.clock, priceFeedMs)
  const refresh = async () => {
    const read = await reading.start()
    list = read ?? list
    dueMs = parts.clock.nowMs() + (read === undefined ? priceFeedRetryMs : priceFeedRefreshMs)
  }
  const current = () => {
    if (parts.clock.nowMs() >= dueMs) {
      // Nobody waits for it, and nobody begins another meanwhile.
      dueMs = parts.clock.nowMs() + priceFeedMs
      parts.keepAlive(refresh())
    }
    return list
  }
  return {
    get dated() {
      return current().dated
    },
    get source() {
      return current().source
    },
    get models() {
      return current().models
    },
  }
}

async function readFeed(list: PriceList, parts: LivePricesParts): Promise<PriceList | undefined> {
  const controller = new Canceller()
  const stop = parts.timers.every(priceFeedMs, () => controller.abort(new Error('no answer in time')))
  const unread = (more: object) => {
    parts.log({ level: 'warn', event: 'prices-unread', ...more })
    return undefined
  }
  try {
    const answer = await parts.outgoing({
      method: 'GET',
      url: parts.feed,
      headers: { accept: 'application/json' },
      signal: controller.signal,
    })
    if (answer.status !== 200) return unread({ status: answer.status })
    const text = await collectText(answer.body, priceFeedBytesMax)
    if (text === undefined) return unread({ message: 'the feed is too large' })
    const day = new Date(parts.clock.nowMs()).toISOString().slice(0, 10)
    const read = withFeed(list, parseJson(text), day, parts.feed)
    return read.ok ? read.value : unread({ message: `the feed ${sayPriceFault(read.failure)}` })
  } catch (cause) {
    return unread({ cause: redactedCause(cause) })
  } finally {
    stop()
  }
}
