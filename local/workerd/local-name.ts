/**
 * Answers for `NAME.local` on the networks that this machine listens on: multicast DNS (RFC 6762), so that a phone finds the
 * service by a name and without a name server.
 */
import { isIPv4 } from 'node:net'
import multicastDns from 'multicast-dns'
import { localNameSeconds, unicastAnswerSeconds } from './limits.ts'

export interface LocalNameOptions {
  /** Without `.local`. */
  readonly name: string
  /** That are listened on; answers go out where each IPv4 one lies. */
  readonly addresses: readonly string[]
  readonly log: (line: string) => void
  /** The standard one is 5353. */
  readonly port?: number
}

export interface LocalName {
  /** Tells the network that the name is gone. */
  close(): Promise<void>
}

type Query = multicastDns.QueryPacket
type Answer = { name: string; type: 'A' | 'AAAA'; ttl: number; flush?: boolean; data: string }

export function answerForName({ name, addresses, log, port }: LocalNameOptions): LocalName {
  const full = `${name}.local`
  const own = addresses.map((data) => ({ type: isIPv4(data) ? ('A' as const) : ('AAAA' as const), data }))
  const isOurs = (asked: string) => asked.toLowerCase() === full
  let isTaken = false
  const ends = addresses.filter(isIPv4).map((address) => {
    const end = multicastDns({ interface: address, bind: '0.0.0.0', ...(port === undefined ? {} : { port }) })
    const answers = (types: readonly string[], ttl: number): Answer[] =>
      own
        // Of several networks each is told the address that lies in it.
        .filter(
          ({ type, data }) =>
            (type === 'AAAA' || data === address) && types.some((one) => one === type || one === 'ANY'),
        )
        .map((one) => ({ name: full, ttl, flush: true, ...one }))
    end.on('error', (error: Error) => log(`${full} is not answered for on ${address}: ${error.message}`))
    end.on('query', (query: Query, from) => {
      const { questions = [] } = query
      const types = questions.filter((one) => isOurs(one.name)).map(({ type }) => String(type))
      if (types.length === 0 || isTaken) return
      // Who asks from another port is no member of the group, and is answered alone (section 6.7).
      const isAlone = from.port !== (port ?? standardPort)
      const found = answers(types, isAlone ? unicastAnswerSeconds : localNameSeconds)
      if (found.length === 0) return
      if (!isAlone) return end.respond(found)
      const plain = found.map(({ flush: _, ...one }) => one)
      end.respond({ ...(query.id === undefined ? {} : { id: query.id }), questions, answers: plain }, from)
    })
    end.on('response', ({ answers: said = [] }) => {
      const other = said
        .flatMap((one) => (one.type === 'A' || one.type === 'AAAA' ? [one] : []))
        .find((one) => isOurs(one.name) && one.ttl !== 0 && !addresses.includes(one.data))
      if (isTaken || other === undefined) return
      isTaken = true
      log(
        `${full} is another machine’s name (${other.data}) and is not answered for here; choose another with --local-name`,
      )
    })
    // Whoever has the name already says so; and our own answer to it is how others hear that it is there.
    end.on('ready', () =>
      end.query([
        { name: full, type: 'A' },
        { name: full, type: 'AAAA' },
      ]),
    )
    return { end, answers }
  })
  return {
    async close() {
      await Promise.all(
        ends.map(async ({ end, answers }) => {
          if (!isTaken) await new Promise<void>((resolve) => end.respond(answers(['ANY'], 0), () => resolve()))
          await new Promise<void>((resolve) => end.destroy(() => resolve()))
        }),
      )
    },
  }
}

const standardPort = 5353
