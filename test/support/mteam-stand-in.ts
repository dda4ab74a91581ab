/**
 * M-Team's interface as its public clients know it; the source is pt-plugins/PT-depiler at c64cc94c (`definitions/mteam.ts`: calls,
 * fields of rows, roles) and the names of promotions and modes of the interface's own description as other public clients
 * quote it. Every call is a POST with the key in `x-api-key`; figures are texts; what is not understood is refused.
 */

export const mteamKey = 'CanaryKeyOfTheInterface1'
const modes = ['normal', 'adult', 'movie', 'music', 'tvshow', 'waterfall', 'rss', 'rankings', 'all']
const discounts = ['NORMAL', 'PERCENT_70', 'PERCENT_50', 'FREE', '_2X_FREE', '_2X', '_2X_PERCENT_50'] as const
export type MteamDiscount = (typeof discounts)[number]

export interface MteamRow {
  readonly id: string
  readonly name: string
  readonly discount: MteamDiscount
  readonly discountEndTime?: string
  readonly promotionRule?: { readonly discount: MteamDiscount; readonly endTime: string }
  readonly mallSingleFree?: { readonly status: 'ONGOING' | 'FINISHED'; readonly endDate: string }
}

export interface MteamState {
  readonly role?: string
  readonly downloaded?: string
  readonly shareRate?: string | null
  readonly unMake?: string | null
  readonly rows: readonly MteamRow[]
  /** Calls that answer with this code and message instead. */
  readonly refusals?: Readonly<Record<string, readonly [code: string | number, message: string]>>
}

export interface MteamCall {
  readonly path: string
  readonly body: string
}

export function mteamStandIn(state: MteamState) {
  const calls: MteamCall[] = []
  const said = (code: string | number, message: string, data: unknown) => Response.json({ code, message, data })
  const done = (data: unknown) => said('0', 'SUCCESS', data)
  const refused = (message: string) => said('1', message, null)

  const answers: Readonly<Record<string, (body: string) => Response>> = {
    'member/profile': () =>
      done({
        id: '77',
        createdDate: '2019-03-04 05:06:07',
        username: 'walker',
        role: state.role ?? '3',
        memberCount: {
          uploaded: '13743895347200',
          downloaded: state.downloaded ?? '2473901162496',
          bonus: '345678.9',
          shareRate: state.shareRate === undefined ? '5.555' : state.shareRate,
        },
        memberStatus: { lastLogin: '2026-11-18 08:00:00', lastBrowse: '2026-11-20 09:00:00' },
      }),
    'tracker/myPeerStatistics': () =>
      done({ seederCount: '42', seederSize: '90194313216', leecherCount: '3', uploadCount: '1' }),
    'tracker/mybonus': () => done({ formulaParams: { finalBs: '56.789', tzeroParam: '4' } }),
    'msg/notify/statistic': () => done({ count: '12', unMake: state.unMake === undefined ? '5' : state.unMake }),
    'torrent/genDlToken': (body) => {
      const id = new URLSearchParams(body).get('id')
      return state.rows.some((row) => row.id === id)
        ? done(`https://api.mteam.example/api/rss/dlv2?sign=Once&t=1&tid=${id}&uid=77`)
        : refused('種子不存在')
    },
    'torrent/search': search,
  }

  function search(body: string): Response {
    const { mode, categories, keyword, pageNumber, pageSize, discount } = JSON.parse(body)
    const isKnown =
      modes.includes(mode) &&
      Array.isArray(categories) &&
      typeof keyword === 'string' &&
      Number.isInteger(pageNumber) &&
      pageNumber >= 1 &&
      pageSize >= 1 &&
      pageSize <= 100 &&
      (discount === undefined || discounts.includes(discount))
    if (!isKnown) return said(400, '參數錯誤', null)
    const rows = state.rows.filter((row) => discount === undefined || row.discount === discount)
    return done({
      pageNumber: '1',
      pageSize: '100',
      total: String(rows.length),
      totalPages: '1',
      data: rows.map(rowOf),
    })
  }

  async function fetch(address: string, init: RequestInit): Promise<Response> {
    const path = new URL(address).pathname.replace(/^\/api\//, '')
    const body = typeof init.body === 'string' ? init.body : ''
    if (path === 'rss/dlv2')
      return new Response('d4:infod4:name1:xee', { headers: { 'content-type': 'application/x-bittorrent' } })
    calls.push({ path, body })
    const headers = new Headers(init.headers)
    const type = path === 'torrent/search' ? 'application/json' : 'application/x-www-form-urlencoded'
    if (init.method !== 'POST') return said(405, 'Method Not Allowed', null)
    if (headers.get('x-api-key') !== mteamKey)
      return said(401, 'Full authentication is required to access this resource', null)
    if (headers.get('content-type') !== type) return said(415, 'Unsupported Media Type', null)
    const refusal = state.refusals?.[path]
    if (refusal !== undefined) return said(refusal[0], refusal[1], null)
    return answers[path]?.(body) ?? new Response('{}', { status: 404 })
  }
  return { fetch, calls }
}

function rowOf({ id, name, discount, discountEndTime, promotionRule, mallSingleFree }: MteamRow) {
  return {
    id,
    createdDate: '2026-11-19 22:33:44',
    lastModifiedDate: '2026-11-20 00:00:00',
    name,
    smallDescr: '第一季 | 中字',
    imdb: 'https://www.imdb.com/title/tt1234567/',
    douban: 'https://movie.douban.com/subject/7654321/',
    author: null,
    category: '401',
    countries: ['1'],
    numfiles: '3',
    size: '4831838208',
    labels: '0',
    labelsNew: ['中字', '4k'],
    anonymous: true,
    infoHash: null,
    status: {
      id,
      toppingLevel: '0',
      discount,
      discountEndTime: discountEndTime ?? null,
      timesCompleted: '310',
      comments: '0',
      seeders: '120',
      leechers: '7',
      banned: false,
      visible: true,
      promotionRule: promotionRule ?? null,
      mallSingleFree: mallSingleFree ?? null,
    },
  }
}
