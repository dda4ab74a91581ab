/** Is in the channels that the owner named, and has the script decide about each line at once. */
import type { AnnounceReason } from '../../workers/app/core/reason/reason.ts'
import type { AnnounceService, AnnounceSource } from '../../workers/app/ports/feeds.ts'
import { folded, IrcConnection } from './irc-connection.ts'
import { announceQueueMax, ircChannelsMax, ircRetryMs, ircRetryMsMax } from './limits.ts'

export interface ListenerOptions {
  readonly service: AnnounceService
  /** At least 0 and below 1. */
  readonly random: () => number
  readonly log: (event: string, facts: object) => void
}

/** A server, under one name, with the feeds of its channels. */
class Station {
  readonly #feeds: readonly AnnounceSource[]
  readonly #options: ListenerOptions
  readonly #lines = new Map<number, { waiting: number; last: Promise<void> }>()
  #connection: IrcConnection | undefined
  #retry: NodeJS.Timeout | undefined
  #failures = 0

  constructor(feeds: readonly AnnounceSource[], options: ListenerOptions) {
    this.#feeds = feeds
    this.#options = options
    this.#connect()
  }

  close(): void {
    clearTimeout(this.#retry)
    this.#connection?.close()
  }

  #connect(): void {
    const [place] = this.#feeds
    if (place === undefined) return
    const channels = [...new Set(this.#feeds.map(({ channel }) => channel))]
    const enters = [...new Set(this.#feeds.flatMap(({ enter }) => (enter === undefined ? [] : [enter])))]
    this.#connection = new IrcConnection(place, channels, enters, {
      joined: (channel) => {
        this.#failures = 0
        for (const feed of this.#feedsOf(channel)) this.#tell(feed.feedId, undefined)
      },
      said: (channel, nick, text) => {
        for (const feed of this.#feedsOf(channel))
          if (feed.announcers.some((announcer) => folded(announcer) === nick)) this.#hear(feed.feedId, text)
      },
      ended: (kind) => {
        this.#options.log('announces_ended', { server: place.server, reason: kind })
        for (const { feedId } of this.#feeds) this.#tell(feedId, { kind })
        const ms = Math.min(ircRetryMs * 2 ** Math.min(this.#failures, 20), ircRetryMsMax)
        this.#failures += 1
        this.#retry = setTimeout(() => this.#connect(), ms * (0.5 + this.#options.random() / 2))
      },
    })
  }

  #feedsOf(channel: string): AnnounceSource[] {
    return this.#feeds.filter((feed) => folded(feed.channel) === channel)
  }

  /** One after another, as they were said: an older run of a feed gives way to a newer one. */
  #hear(feedId: number, said: string): void {
    const line = this.#lines.get(feedId) ?? { waiting: 0, last: Promise.resolve() }
    this.#lines.set(feedId, line)
    if (line.waiting >= announceQueueMax) {
      this.#options.log('announce_dropped', { feed_id: feedId })
      return
    }
    line.waiting += 1
    line.last = line.last
      .then(() => this.#options.service.hear(feedId, said))
      .catch((cause: unknown) => this.#options.log('announce_failed', { feed_id: feedId, cause: String(cause) }))
      .finally(() => {
        line.waiting -= 1
      })
  }

  #tell(feedId: number, reason: AnnounceReason | undefined): void {
    this.#options.service
      .state(feedId, reason)
      .catch((cause: unknown) => this.#options.log('announce_failed', { feed_id: feedId, cause: String(cause) }))
  }
}

export class AnnounceListener {
  readonly #options: ListenerOptions
  #stations = new Map<string, Station>()
  #refreshing: Promise<void> | undefined
  #isAgain = false
  #isClosed = false

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Joins what is new and leaves what is gone; what stays as it is stays connected. */
  refresh(): Promise<void> {
    // What is asked for while one is under way may have come too late for it.
    this.#isAgain = this.#refreshing !== undefined
    this.#refreshing ??= this.#refresh()
      .catch((cause: unknown) => this.#options.log('announces_failed', { cause: String(cause) }))
      .finally(() => {
        this.#refreshing = undefined
        if (this.#isAgain) void this.refresh()
      })
    return this.#refreshing
  }

  close(): void {
    this.#isClosed = true
    for (const station of this.#stations.values()) station.close()
    this.#stations.clear()
  }

  async #refresh(): Promise<void> {
    const sources = await this.#options.service.sources()
    if (this.#isClosed) return
    const groups = Map.groupBy(
      sources,
      ({ feedId: _, channel: _channel, announcers: _names, enter: _enter, ...place }) => JSON.stringify(place),
    )
    const wanted = new Map([...groups.values()].map((feeds) => [JSON.stringify(feeds), feeds.slice(0, ircChannelsMax)]))
    for (const [key, station] of this.#stations) {
      if (wanted.has(key)) continue
      station.close()
      this.#stations.delete(key)
    }
    for (const [key, feeds] of wanted)
      if (!this.#stations.has(key)) this.#stations.set(key, new Station(feeds, this.#options))
  }
}
