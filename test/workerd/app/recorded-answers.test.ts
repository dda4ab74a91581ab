/**
 * Requests as an older build was asked them, asked again. The fixture names the commit; it was recorded by the functions
 * used here, in that commit's own tree. What answers have beside, or otherwise, stands in a list, each with why.
 */
import { beforeAll, describe, test } from 'vitest'
import { appRouteDeclarations } from '../../../workers/app/contract/routes.ts'
import recorded from '../../fixtures/app-api/answers.json' with { type: 'json' }
import { type Exchange, exchangeAll, exchangeFilled, requestsOf } from '../../support/workerd/recorded-exchanges.ts'

const ofNothing = recorded.exchanges as readonly Exchange[]
const then = [...ofNothing, ...(recorded.filled as readonly Exchange[])]
let now: readonly Exchange[]

interface Difference {
  readonly why: string
  readonly of: (exchange: Exchange) => boolean
  /** Fields that are new, wherever they stand in the answer. */
  readonly fields?: readonly string[]
  /** Entries of a list that are new, by their type. */
  readonly types?: readonly string[]
  /** Entries of a list that are new, as they stand there. */
  readonly entries?: readonly object[]
  /** The status that it has now, with another answer. */
  readonly status?: number
}

const differences: readonly Difference[] = [
  {
    why: 'why it failed, as a kind and facts beside the sentence',
    of: ({ answer, status }) => status >= 400 || /"(?:message|error)"/.test(JSON.stringify(answer)),
    fields: ['reason'],
  },
  {
    why: 'which figures of a site nobody knows, instead of a nought that looks like one',
    of: ({ operation }) => operation === 'listSites' || operation === 'getOverview',
    fields: ['unknown'],
  },
  {
    why: 'the program that a downloader is, beside the type of the interface document',
    of: ({ operation }) => operation === 'listDownloaders',
    fields: ['program'],
  },
  {
    why: 'whether the end of a free period is known',
    of: ({ operation }) => operation === 'search' || operation === 'listTasks',
    fields: ['discount_end', 'free_end'],
  },
  {
    why: 'what a torrent waits for, and whose it is',
    of: ({ operation }) => operation === 'listTorrents',
    fields: ['condition', 'tracker'],
  },
  {
    why: 'how many torrents each state has, for the tabs of a list, and how large they are together',
    of: ({ operation, status }) => operation === 'listTorrents' && status === 200,
    fields: ['counts', 'total_size'],
  },
  {
    why: 'the end of a free period is an event of its own',
    of: ({ operation, status }) => operation === 'listTemplates' && status === 200,
    types: ['push.free_ending'],
  },
  {
    why: 'what a script has to tell the owner is an event of its own',
    of: ({ operation, status }) => operation === 'listTemplates' && status === 200,
    types: ['message.sent'],
  },
  {
    why: 'what a chat is answered has texts of its own, and rows have the number of their button',
    of: ({ operation, status }) => operation === 'listTemplates' && status === 200,
    types: [
      'reply.search',
      'reply.brush',
      'reply.pushed',
      'reply.changed',
      'reply.confirm',
      'reply.failed',
      'reply.help',
      'reply.paired',
      'reply.stranger',
    ],
    entries: [
      { key: 'number', type: 'int', desc: '序号，与按钮对应', sample: '1' },
      { key: 'total', type: 'int', desc: '符合条件的总数', sample: '2' },
    ],
  },
  {
    why: 'a list of releases that is not set up is no failure of anybody, and says so',
    of: ({ operation, status }) => operation === 'getUpdates' && status === 502,
    status: 200,
  },
]

const nameOf = ({ operation, caller, method, path, body }: Omit<Exchange, 'status' | 'type' | 'answer'>) =>
  JSON.stringify([operation, caller, method, path, body])

function textOf({ status, type, answer }: Exchange, allowed: readonly Difference[]): string {
  const fields = new Set(allowed.flatMap((one) => one.fields ?? []))
  const types = new Set(allowed.flatMap((one) => one.types ?? []))
  const entries = new Set(allowed.flatMap((one) => one.entries ?? []).map((one) => JSON.stringify(one)))
  const isNew = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    (('type' in value && types.has(String(value.type))) || entries.has(JSON.stringify(value)))
  const known = (key: string, value: unknown): unknown => {
    if (fields.has(key)) return undefined
    return Array.isArray(value) ? value.filter((one) => !isNew(one)) : value
  }
  return JSON.stringify([status, type, answer], known, 1)
}

describe(`the build at ${recorded.commit.slice(0, 8)}`, () => {
  beforeAll(async () => {
    const empty = await exchangeAll(ofNothing)
    now = [...empty, ...(await exchangeFilled())]
  }, 180_000)

  test('was asked for every operation it had, by everybody who may and may not', ({ expect }) => {
    expect(new Set(then.map(({ caller }) => caller))).toEqual(new Set(['none', 'wrong', 'reader', 'operator']))
    expect(new Set(then.map(({ operation }) => operation)).size).toBe(35)
    expect(ofNothing.filter(({ status }) => status === 200).length).toBe(79)
    expect(now.map(nameOf)).toEqual(then.map(nameOf))
    // What is declared today would ask all of that too.
    const today = new Set(requestsOf(appRouteDeclarations).map(nameOf))
    expect(ofNothing.map(nameOf).filter((one) => !today.has(one))).toEqual([])
  })

  test.each(then.map((exchange, at) => [at, exchange] as const))('gave answer %i, byte for byte', (at, before) => {
    const after = now[at]
    if (after === undefined) throw new Error('no answer')
    const allowed = differences.filter((one) => one.of(before))
    const changed = allowed.find((one) => one.status !== undefined)
    if (changed !== undefined) {
      if (after.status !== changed.status) throw new Error(`${changed.why}: ${after.status}`)
      return
    }
    const [was, is] = [textOf(before, allowed), textOf(after, allowed)]
    if (was !== is) throw new Error(`${before.operation} ${before.caller} ${before.path}\nwas ${was}\nis ${is}`)
  })

  test('refuses in English whoever prefers it, with the same reasons', async ({ expect }) => {
    const refused = ofNothing.flatMap((before, at) => (before.status >= 400 ? [[before, now[at]] as const] : []))
    const inEnglish = await exchangeAll(
      refused.map(([before]) => before),
      { 'accept-language': 'en-GB,en;q=0.9' },
    )
    expect(inEnglish.length).toBe(282)
    for (const [at, { answer, operation, path, status }] of inEnglish.entries()) {
      const { message, ...rest } = answer as { message?: string }
      const { message: chinese, ...same } = (refused[at]?.[1]?.answer ?? {}) as { message?: string }
      if (status === 200) continue
      expect([operation, path, rest]).toEqual([operation, path, same])
      expect(chinese).toMatch(/\p{Script=Han}/u)
      expect(message).toMatch(/^[^\p{Script=Han}]+$/u)
    }
  })

  test.each(differences.map((one) => [one.why, one] as const))('differs where it may: %s', (_, one) => {
    const differs = then.some((before, at) => {
      const after = now[at]
      return one.of(before) && after !== undefined && textOf(before, []) !== textOf(after, [])
    })
    if (!differs) throw new Error('nothing differs any more')
  })
})
