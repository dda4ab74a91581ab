/**
 * Takes what notification channels send: every path is a place of its own, which `/control` asks and tells what to answer.
 * What a service takes, and the source it follows, is in channel-services.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { serviceStandIns } from './channel-services/stand-ins.ts'
import { endServer, listenToKept } from './loopback.ts'

interface Orders {
  readonly status?: number
  readonly answer?: string
  readonly location?: string
  /** Takes the message and says nothing. */
  readonly silent?: boolean
  /** Answers as this service does. */
  readonly service?: string
}

interface Taken {
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** As it came, for what is signed. */
  readonly raw: string
}

export interface StandInChannel {
  readonly origin: string
  stop(): Promise<void>
}

export async function startStandInChannel(): Promise<StandInChannel> {
  const places = new Map<string, { orders: Orders; taken: Taken[] }>()
  const placeOf = (name: string) => {
    const known = places.get(name) ?? { orders: {}, taken: [] }
    places.set(name, known)
    return known
  }

  /** `/{name}/…` takes; `/control/{name}` gives back what was taken, with new orders where some are sent. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, first = '', second = ''] = (request.url ?? '').split(/[/?]/)
    const body = await text(request)
    if (first === 'control') {
      const place = placeOf(second)
      if (body !== '') place.orders = JSON.parse(body) as Orders
      response.end(JSON.stringify(place.taken))
      return
    }
    const { orders, taken } = placeOf(first)
    taken.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(body), raw: body })
    if (orders.silent === true) return
    const service = serviceStandIns.find(({ type }) => type === orders.service)
    if (service !== undefined) {
      const { method = '', url = '', headers } = request
      const asked = { method, path: url.slice(first.length + 1), headers: headers as Record<string, string>, body }
      const { status, body: said } = await service.answer(asked, Math.floor(Date.now() / 1000))
      response.writeHead(status, { 'content-type': 'application/json' }).end(said)
      return
    }
    response.writeHead(orders.status ?? 200, orders.location === undefined ? {} : { location: orders.location })
    response.end(orders.answer ?? '{"ok":true}')
  }

  const server = createServer((request, response) => void answer(request, response))
  const { url: origin } = await listenToKept(server)
  return {
    origin,
    stop: () => endServer(server),
  }
}
