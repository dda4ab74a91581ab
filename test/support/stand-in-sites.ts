/**
 * Small sites of every kind, in several skins and several states of disrepair: what the service does with a site is tried on
 * them. Their source is xiaomlove/nexusphp at a514ed57 (1.8) and, for the others, what the stand-ins of those name; how whole
 * pages of the software are read is proved on those of nexusphp-pages.ts. The address says which: `/<kind>/<skin>/…`. They
 * keep figures and sign-ins, which a test may change.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { SiteKind } from '../../workers/app/core/vocabulary.ts'
import { bencode } from './bencode.ts'
import { endServer, listenToKept } from './loopback.ts'

export const goodCookie = 'c_secure_pass=CanaryCookieOfTheSite9'
export const goodApiKey = 'CanaryApiKeyOfTheSite91'
/** In the links of every list: what no answer of ours may hold. */
export const canaryLinkKey = 'CanaryLinkKeyOfTheSite47OfLength'

/** Every kind has these; `ok` works. */
export const brokenSkins = ['expired', 'challenge', 'throttled', 'huge', 'half', 'other', 'away', 'closing'] as const
export type BrokenSkin = (typeof brokenSkins)[number]

export interface StandInFigures {
  uploaded: number
  downloaded: number
  bonus: number
  seeding: number
}

export interface StandInTorrent {
  readonly id: number
  readonly title: string
  readonly subtitle: string
  readonly sizeGib: number
  readonly seeders: number
  readonly leechers: number
  readonly snatched: number
  /** In UTC+8. */
  readonly time: string
  readonly free: boolean
  readonly freeUntil: string
  readonly hr: boolean
}

/** What is free stays free while the tests run, whatever day it is. */
export const standInFreeUntilUnix = Math.floor(Date.now() / 1000) + 48 * 3600
/** In UTC+8. */
const freeUntil = new Date((standInFreeUntilUnix + 8 * 3600) * 1000).toISOString().slice(0, 19).replace('T', ' ')

export const standInTorrents: readonly StandInTorrent[] = [
  {
    id: 101,
    title: 'Planet.Walk.2026.1080p',
    subtitle: '星球漫步',
    sizeGib: 4.5,
    seeders: 120,
    leechers: 7,
    snatched: 310,
    time: '2026-11-20 10:00:00',
    free: true,
    freeUntil,
    hr: true,
  },
  {
    id: 102,
    title: 'Planet.Walk.2026.2160p',
    subtitle: '',
    sizeGib: 20,
    seeders: 3,
    leechers: 0,
    snatched: 12,
    time: '2026-11-19 22:30:00',
    free: false,
    freeUntil: '',
    hr: false,
  },
  {
    id: 103,
    title: 'Quiet.River.S01',
    subtitle: '静静的河',
    sizeGib: 1,
    seeders: 44,
    leechers: 2,
    snatched: 1234,
    time: '2026-11-01 08:05:09',
    free: false,
    freeUntil: '',
    hr: false,
  },
]

const gib = 1024 ** 3
/** A small torrent whose info hash is known: `d4:infod6:lengthi5e4:name5:a.txt12:piece lengthi16384e6:pieces20:…ee`. */
export const torrentFile = Buffer.concat([
  Buffer.from('d8:announce21:http://127.0.0.1:1/an4:infod6:lengthi5e4:name5:a.txt12:piece lengthi16384e6:pieces20:'),
  Buffer.alloc(20, 7),
  Buffer.from('ee'),
])

interface Request {
  readonly kind: string
  readonly skin: string
  readonly method: string | undefined
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly base: string
}

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

interface SiteState {
  figures: StandInFigures
  signIns: number
  /** Sign-ins that fail before one works. */
  failures: number
  calls: string[]
  /** Held calls, released by a test. */
  held: (() => void)[]
  hold: boolean
  /** Every answer waits this long. */
  delayMs: number
  /** Not 0: torrent files are of their own kind, each for one file of that size, named after skin and id. */
  fileBytes: number
  /** What the account seeds, where the kind tells. */
  seedingBytes: number
  /** What downloads give instead, base64. */
  file: string
  /** Ids of what stands in its feed. */
  feed: number[]
  /** Numbers of its torrents by the hash of their pieces; undefined for a site of an elder version. */
  pieces: Record<string, number> | undefined
}

export interface StandInSites {
  readonly origin: string
  address(kind: SiteKind, skin: string): string
  state(kind: SiteKind, skin: string): SiteState
  stop(): Promise<void>
}

export async function startStandInSites(): Promise<StandInSites> {
  const states = new Map<string, SiteState>()
  const stateOf = (kind: string, skin: string) => {
    const known = states.get(`${kind}/${skin}`)
    if (known !== undefined) return known
    const fresh: SiteState = {
      figures: { uploaded: 5000 * gib, downloaded: 1000 * gib, bonus: 1234.5, seeding: 42 },
      signIns: 0,
      failures: 0,
      calls: [],
      held: [],
      hold: false,
      delayMs: 0,
      feed: standInTorrents.map(({ id }) => id),
      pieces: undefined,
      fileBytes: 0,
      seedingBytes: 2.5 * 1024 ** 4,
      file: '',
    }
    states.set(`${kind}/${skin}`, fresh)
    return fresh
  }
  const server = createServer((request, response) => {
    void serve(request, response, stateOf)
  })
  const { url: origin } = await listenToKept(server)
  return {
    origin,
    address: (kind, skin) => `${origin}/${kind}/${skin}`,
    state: stateOf,
    stop: () => endServer(server),
  }
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  stateOf: (kind: string, skin: string) => SiteState,
): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  const url = new URL(incoming.url ?? '/', 'http://stand-in')
  const [, kind = '', skin = '', ...rest] = url.pathname.split('/')
  if (kind === 'control') return control(url, Buffer.concat(pieces).toString(), response, stateOf)
  const request: Request = {
    kind,
    skin,
    method: incoming.method,
    path: rest.join('/'),
    query: url.searchParams,
    headers: incoming.headers,
    body: Buffer.concat(pieces).toString(),
    base: `http://${incoming.headers.host ?? ''}/${kind}/${skin}`,
  }
  const state = stateOf(kind, skin)
  state.calls.push(`${incoming.method} ${request.path}`)
  if (state.hold) await new Promise<void>((resolve) => state.held.push(resolve))
  if (state.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, state.delayMs))
  if (skin === 'closing') return void incoming.socket.destroy()
  if (skin === 'huge') return flood(response)
  const answer = broken(request) ?? keptList(request, state)
  response.writeHead(answer.status ?? 200, { ...answer.headers })
  response.end(answer.body)
}

/** For tests that run inside the Worker's runtime: `/control/<kind>/<skin>` changes and shows a site's state. */
function control(
  url: URL,
  body: string,
  response: ServerResponse,
  stateOf: (kind: string, skin: string) => SiteState,
): void {
  const [, , kind = '', skin = ''] = url.pathname.split('/')
  const state = stateOf(kind, skin)
  const change = body === '' ? {} : (JSON.parse(body) as Partial<SiteState>)
  Object.assign(state, change)
  if (!state.hold) for (const release of state.held.splice(0)) release()
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ ...state, held: state.held.length }))
}

/** More than any bound, in pieces, until the reader goes. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' })
  const piece = Buffer.alloc(64 * 1024, '<p>')
  let sent = 0
  const more = () => {
    while (sent < 32 * 1024 * 1024) {
      sent += piece.length
      if (!response.write(piece)) {
        response.once('drain', more)
        return
      }
    }
    response.end()
  }
  response.on('error', () => undefined)
  more()
}

function broken({ kind, skin, base }: Request): Answer | undefined {
  switch (skin) {
    case 'expired':
      if (kind === 'nexusphp') return { status: 302, headers: { location: `${base}/login.php?returnto=x` }, body: '' }
      if (kind === 'torznab') {
        return xml('<?xml version="1.0"?><error code="100" description="Invalid API Key"/>')
      }
      if (kind === 'mteam') return json({ code: 1, message: 'key無效', data: null })
      if (kind === 'gazelle') return json({ status: 'failure', error: 'bad credentials' })
      return { status: 401, headers: { 'content-type': 'application/json' }, body: '{"message":"Unauthenticated."}' }
    case 'challenge':
      return {
        status: 403,
        headers: { 'content-type': 'text/html', 'cf-mitigated': 'challenge' },
        body: '<html><title>Just a moment...</title><body class="cf-chl-x"></body></html>',
      }
    case 'throttled':
      return { status: 429, headers: { 'retry-after': '30' }, body: 'slow down' }
    case 'other':
      return html('<html><body><h1>It works!</h1></body></html>')
    case 'away':
      return { status: 302, headers: { location: 'http://127.0.0.2:1/elsewhere' }, body: '' }
    default:
      return undefined
  }
}

function answerOf(request: Request, state: SiteState): Answer {
  const answer = kinds[request.kind]?.(request, state) ?? { status: 404, body: 'no such page' }
  if (request.skin !== 'half') return answer
  const body = Buffer.from(answer.body)
  return { ...answer, body: body.subarray(0, Math.floor(body.length * 0.6)) }
}

/** Long lists are made once: a search over many sites would wait for them to be written. */
const manyLists = new Map<string, Answer>()

function keptList(request: Request, state: SiteState): Answer {
  const { skin, path, base, headers } = request
  if (!skin.startsWith('many') || !/torrents(?:\.php|\/filter)$/.test(path)) return answerOf(request, state)
  const key = [base, path, headers.cookie, headers.authorization].join(' ')
  const made = manyLists.get(key) ?? answerOf(request, state)
  const kept = { ...made, body: Buffer.from(made.body) }
  manyLists.set(key, kept)
  return kept
}

function html(body: string, type = 'text/html; charset=utf-8'): Answer {
  return { headers: { 'content-type': type }, body }
}

function xml(body: string): Answer {
  return { headers: { 'content-type': 'application/rss+xml; charset=utf-8' }, body }
}

function json(value: unknown): Answer {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

function torrent({ skin }: Request, { fileBytes, file }: SiteState, id: string): Answer {
  const info = { length: fileBytes, name: `${skin}.${id}.bin`, 'piece length': 16384, pieces: Buffer.alloc(20, 7) }
  const made = fileBytes === 0 ? torrentFile : bencode({ announce: 'http://127.0.0.1:1/announce', info })
  const body = file === '' ? made : Buffer.from(file, 'base64')
  return { headers: { 'content-type': 'application/x-bittorrent' }, body }
}

const manyTorrents: readonly StandInTorrent[] = Array.from({ length: 100 }, (_, index) => ({
  ...(standInTorrents[index % standInTorrents.length] as StandInTorrent),
  id: 1000 + index,
  title: `Planet.Walk.S01E${index}.1080p`,
}))

/** Skins named `many…` have as many as fit on a page; those of `quarter…` have a quarter of the size, to be hashed in the time of a test. */
function matching(skin: string, keyword: string, freeOnly = false): StandInTorrent[] {
  if (skin.startsWith('many')) return [...manyTorrents]
  const words = keyword.toLowerCase().split(/\s+/)
  const listed = skin.startsWith('quarter')
    ? standInTorrents.map((one) => ({ ...one, sizeGib: one.sizeGib / 4 }))
    : standInTorrents
  return listed.filter(
    (one) =>
      (!freeOnly || one.free) && words.every((word) => `${one.title} ${one.subtitle}`.toLowerCase().includes(word)),
  )
}

const kinds: Readonly<Record<string, (request: Request, state: SiteState) => Answer | undefined>> = {
  nexusphp,
  unit3d,
  mteam,
  gazelle,
  torznab,
}

/** Six days and a half ago by a clock so far east: what is left of a period has the same days whenever it is asked. */
function lastSeen(eastHours = 0): string {
  return new Date(Date.now() - 6.5 * 86_400_000 + eastHours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}

function size(amount: number): string {
  const tib = 1024 ** 4
  return amount >= tib ? `${(amount / tib).toFixed(3)} TB` : `${(amount / gib).toFixed(2)} GB`
}

const loginForm =
  '<html><head><title>登录</title></head><body><form action="takelogin.php" method="post"><input name="username"><input type="password" name="password"></form></body></html>'

/**
 * As the software does it (xiaomlove/nexusphp at a514ed57, `download.php`): a hash is the member's number and a key, and opens
 * the file to whoever has it; without one the session does, for the id alone.
 */
function nexusphpDownload(request: Request, state: SiteState): Answer {
  const hash = request.query.get('downhash') ?? ''
  const [member, key] = hash.split('|')
  if (hash !== '' && (!member || !key)) return html('invalid downhash, format error')
  if (hash !== '' && (member !== '7' || key !== canaryLinkKey)) return html('invalid downhash, decrpyt fail')
  return torrent(request, state, request.query.get('id') ?? '')
}

function nexusphp(request: Request, state: SiteState): Answer | undefined {
  const isEnglish = request.skin.endsWith('english')
  const finish = (text: string): Answer =>
    request.skin === 'gbk' ? html2(encodeGbk(text.replace('utf-8', 'gbk'))) : html(text)
  if (request.path === 'favicon.ico') return { headers: { 'content-type': 'image/x-icon' }, body: iconFile }
  if (request.path === 'torrentrss.php') return nexusphpFeed(request, state)
  if (request.path === 'download.php' && request.query.get('downhash')) return nexusphpDownload(request, state)
  if (request.path === 'api/pieces-hash' && state.pieces !== undefined) return piecesLookup(request, state.pieces)
  if (request.headers.cookie !== goodCookie) return finish(loginForm)
  const { figures } = state
  const word = (chinese: string, english: string) => (isEnglish ? english : chinese)
  const block = `<table id="info_block"><tr><td>${word('欢迎回来', 'Welcome back')}, <span class="nowrap"><a href="userdetails.php?id=7" class='PowerUser_Name'><b>walker</b></a></span> [<a href="logout.php">${word('退出', 'Logout')}</a>] ${word('魔力值', 'Bonus')} [<a href="mybonus.php">${word('使用', 'Use')}</a>]: ${figures.bonus.toLocaleString('en')} ${word('分享率', 'Ratio')}: 5.000 ${word('上传量', 'Uploaded')}: ${size(figures.uploaded)} ${word('下载量', 'Downloaded')}: ${size(figures.downloaded)} ${word('当前活动', 'Torrents active')}: <img class="arrowup" alt="Torrents seeding" src="pic/trans.gif" />${figures.seeding} <img class="arrowdown" alt="Torrents leeching" src="pic/trans.gif" />3 <a href="messages.php"><img class="inboxnew" src="pic/trans.gif" alt="inbox" title="${word('收件箱 (2新)', 'inbox (2 new)')}" /></a></td></tr></table>`
  const page = (body: string) =>
    finish(
      `<!DOCTYPE html><html><head><meta charset="utf-8"><title>site</title></head><body>${block}${body}</body></html>`,
    )
  switch (request.path) {
    case 'index.php':
      return page('<h1>news</h1>')
    case 'userdetails.php':
      return page(
        `<table><tr><td class="rowhead">${word('加入日期', 'Join date')}</td><td>2020-01-01 00:00:00</td></tr><tr><td class="rowhead">${word('最近动向', 'Last seen')}</td><td>2026-11-20 09:00:00 (<span title="2026-11-20 09:00:00">1天前</span>)</td></tr><tr><td class="rowhead">${word('传送', 'Transfers')}</td><td><table>${moved(request.skin)}<tr><td><strong>${word('分享率', 'Share ratio')}</strong>: <font>5.000</font></td></tr><tr><td><strong>${word('上传量', 'Uploaded')}</strong>: ${size(figures.uploaded)}</td><td><strong>${word('下载量', 'Downloaded')}</strong>: ${size(figures.downloaded)}</td></tr></table></td></tr><tr><td class="rowhead">${word('等级', 'Class')}</td><td><img alt="Power User" title="Power User" src="pic/power.gif" /></td></tr><tr><td class="rowhead">${word('魔力值', 'Karma Points')}</td><td>${figures.bonus}</td></tr><tr><td class="rowhead">H&amp;R</td><td>1 / 10</td></tr></table>`,
      )
    case 'getusertorrentlistajax.php':
      return finish(
        `<b>${figures.seeding}</b> ${word('条记录', 'records')} | ${word('总大小', 'Total size')}: ${size(state.seedingBytes)}<table><tr><td>x</td></tr></table>`,
      )
    case 'mybonus.php':
      return page(
        `<p>${word('你当前每小时能获取 34.567 个魔力值', 'You are currently getting 34.567 points per hour')}</p>`,
      )
    case 'getrss.php':
      return page(madeFeed(request))
    case 'torrents.php':
      return page(torrentTable(request, isEnglish))
    case 'attendance.php': {
      if (request.skin === 'captcha') return page('<form><input name="imagestring"><p>请输入验证码</p></form>')
      if (state.failures > 0) {
        state.failures -= 1
        return page('<p>系统繁忙</p>')
      }
      state.signIns += 1
      return page(
        state.signIns === 1
          ? `<h2>${word('签到成功', 'Attendance successful')}</h2><p>${word('这是您的第 12 次签到，本次签到获得 20 个魔力值', 'You got 20 points')}</p>`
          : `<h2>${word('抱歉', 'Sorry')}</h2><p>${word('您今天已经签到过了，请勿重复刷新', 'You have already checked in today')}</p>`,
      )
    }
    case 'download.php':
      return nexusphpDownload(request, state)
    default:
      return undefined
  }
}

/**
 * As xiaomlove/nexusphp at a514ed57 (`routes/api.php`, `TorrentController::queryByPiecesHash`, `TorrentRepository`,
 * `AuthServiceProvider`, `Handler.php`, `api` in `globalfunctions.php`): opened by a pass key of 32 characters alone, for a form and for
 * JSON; what it refuses it says with 200, and a client that wants no JSON is sent to sign in.
 */
function piecesLookup({ method, body, headers, base }: Request, pieces: Readonly<Record<string, number>>): Answer {
  const wantsJson = /^[^,]*json/.test(headers.accept ?? '')
  const say = (ret: number, msg: string, data: object, status = 200): Answer => ({
    ...{ status, headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ ret, msg, data, time: 0.012, rid: 'x' }),
  })
  if (method !== 'POST') return say(-1, `The ${method} method is not supported for this route.`, {}, 405)
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  const sent = new URLSearchParams(isForm ? body : '')
  const passKey = sent.get('passkey') ?? ''
  if (passKey.length !== 32 || passKey !== canaryLinkKey) {
    if (wantsJson) return say(-1, 'Unauthenticated.', { guards: ['passkey'] }, 401)
    return { status: 302, headers: { location: `${base}/login.php?returnto=x` }, body: '' }
  }
  const asked = [...sent].filter(([name]) => /^pieces_hash\[\d*\]$/.test(name)).map(([, hash]) => hash)
  if (asked.length === 0)
    return say(-1, 'The pieces hash field is required.', { pieces_hash: ['The pieces hash field is required.'] })
  if (asked.length > 100) return say(-1, 'too many pieces hash, must less then 100', { passkey: passKey })
  return say(
    0,
    'torrent.query-by-pieces-hash',
    Object.fromEntries(asked.flatMap((hash) => (pieces[hash] === undefined ? [] : [[hash, pieces[hash]]]))),
  )
}

/**
 * As xiaomlove/nexusphp `public/getrss.php` at a514ed5: the form alone until it is sent, a word where it names no number of
 * rows that it offers, and else the address twice, for readers and for programs, each as `format_comment` makes a link.
 */
function madeFeed({ method, body, base, skin }: Request): string {
  const sent = new URLSearchParams(body)
  if (method !== 'POST' || skin.startsWith('feedless'))
    return '<h1 align="center">RSS Feeds</h1><form method="post" action="getrss.php"></form>'
  if (!['10', '50', '100', '200'].includes(sent.get('showrows') ?? '')) return 'You must select rows!'
  const titled = ['itemcategory', 'itemsmalldescr', 'itemsize'].filter((name) => sent.has(name))
  const link = `${base}/torrentrss.php?passkey=${canaryLinkKey}&amp;rows=${sent.get('showrows')}${titled.map((name) => `&amp;${name}=1`).join('')}`
  const anchor = (href: string) => `<a class="faqlink" href="${href}" target="_blank">${href}</a>`
  return `<td class="text">Use the following URL:<br />\n${anchor(link)}<br />\n<br />\n${anchor(`${link}&amp;linktype=dl`)}</td>`
}

/**
 * As xiaomlove/nexusphp `public/torrentrss.php` at a514ed5 writes it: opened by the pass key in the address and not by the
 * cookie; a wrong one is answered with a word and 200. A web server in front of it packs what it sends.
 */
function nexusphpFeed({ query, base, headers }: Request, { feed }: SiteState): Answer {
  if (query.get('passkey') !== canaryLinkKey)
    return { headers: { 'content-type': 'text/html' }, body: 'invalid passkey' }
  const items = standInTorrents
    .filter(({ id }) => feed.includes(id))
    .map(
      (one) => `<item>
      <title><![CDATA[${one.title}[${one.subtitle}]]]></title>
      <link>${base}/details.php?id=${one.id}</link>
      <description><![CDATA[]]></description>
<author>anonymous@site (anonymous)</author><category domain="${base}/torrents.php?cat=401">Movies</category>
      <comments><![CDATA[${base}/details.php?id=${one.id}&cmtpage=0#startcomments]]></comments>
      <enclosure url="${base}/download.php?id=${one.id}&amp;downhash=7%7C${canaryLinkKey}" length="${one.sizeGib * gib}" type="application/x-bittorrent" />
      <guid isPermaLink="false">${one.id.toString(16).padStart(40, '0')}</guid>
      <pubDate>${new Date(`${one.time.replace(' ', 'T')}+08:00`).toUTCString().replace('GMT', '+0000')}</pubDate>
    </item>
`,
    )
  const body = `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel>
    <title>Torrents</title><link><![CDATA[${base}]]></link><ttl>60</ttl>${items.join('')}</channel>
</rss>`
  const type = { 'content-type': 'text/xml' }
  return /gzip/.test(String(headers['accept-encoding'] ?? ''))
    ? { headers: { ...type, 'content-encoding': 'gzip' }, body: gzipSync(body) }
    : { headers: type, body }
}

/** Sites with promotions also show what was really moved, here before what counts. */
function moved(skin: string): string {
  if (skin !== 'moved' && skin !== 'moved-english') return ''
  const [up, down] = skin === 'moved' ? ['实际上传量', '实际下载量'] : ['Actual uploaded', 'Actual downloaded']
  return `<tr><td><strong>${up}</strong>: 7.000 TB</td><td><strong>${down}</strong>: 9.000 TB</td></tr>`
}

function html2(body: Buffer): Answer {
  return { headers: { 'content-type': 'text/html' }, body }
}

/** Chinese skin: every column. English skin: another order, no category, no snatched. */
function torrentTable({ query, skin }: Request, isEnglish: boolean): string {
  const state = query.get('spstate') ?? '0'
  // One promotion at a time, by the software's own numbers; none of these torrents has another than free.
  const rows = state === '0' || state === '2' ? matching(skin, query.get('search') ?? '', state === '2') : []
  if (rows.length === 0) return isEnglish ? '<h2>Nothing found!</h2>' : '<h2>没有种子</h2>'
  const title = (one: StandInTorrent) =>
    `<td class="rowfollow"><table class="torrentname"><tr><td class="embedded"><a title="${one.title}" href="details.php?id=${one.id}&amp;hit=1"><b>${one.title.slice(0, 12)}</b></a>${one.free ? ` <img class="pro_free" src="pic/trans.gif" alt="Free" /> <b>[剩余: <span title="${one.freeUntil}">2天</span>]</b>` : ''}${one.hr ? '<img class="hitandrun" src="pic/trans.gif" alt="H&amp;R" title="H&amp;R" />' : ''}<br /><span class="tags">官方</span>${one.subtitle}</td><td><a href="download.php?id=${one.id}&amp;downhash=7%7C${canaryLinkKey}"><img class="download" /></a></td></tr></table></td>`
  const time = (one: StandInTorrent) =>
    `<td class="rowfollow nowrap"><span title="${one.time}">1天<br />2时</span></td>`
  const bytes = (one: StandInTorrent) => `<td class="rowfollow">${one.sizeGib.toFixed(2)}<br />GB</td>`
  const link = (text: string, one: StandInTorrent) =>
    `<td class="rowfollow"><b><a href="details.php?id=${one.id}#${text}">${text}</a></b></td>`
  if (isEnglish) {
    const head =
      '<tr><td class="colhead">Name</td><td class="colhead"><img class="seeders" alt="seeders" /></td><td class="colhead"><img class="leechers" alt="leechers" /></td><td class="colhead"><img class="time" alt="time" title="Time Added" /></td><td class="colhead"><img class="size" alt="size" /></td></tr>'
    return `<table class="torrents" cellspacing="0">${head}${rows
      .map(
        (one) =>
          `<tr>${title(one)}${link(one.seeders.toLocaleString('en'), one)}${link(String(one.leechers), one)}${time(one)}${bytes(one)}</tr>`,
      )
      .join('')}</table>`
  }
  const head =
    '<tr><td class="colhead">类型</td><td class="colhead"><a href="?sort=1">标题</a></td><td class="colhead"><img class="comments" alt="comments" title="评论数" /></td><td class="colhead"><img class="time" title="存活时间" alt="time" /></td><td class="colhead"><img class="size" title="大小" alt="size" /></td><td class="colhead"><img class="seeders" title="种子数" alt="seeders" /></td><td class="colhead"><img class="leechers" title="下载数" alt="leechers" /></td><td class="colhead"><img class="snatched" title="完成数" alt="snatched" /></td><td class="colhead">发布者</td></tr>'
  return `<table class="torrents"><tbody>${head}${rows
    .map(
      (one) =>
        `<tr><td><a href="?cat=401"><img alt="Movies" title="电影" /></a></td>${title(one)}<td>0</td>${time(one)}${bytes(one)}${link(String(one.seeders), one)}${link(String(one.leechers), one)}<td>${one.snatched.toLocaleString('en')}</td><td>匿名</td></tr>`,
    )
    .join('')}</tbody></table>`
}

function unit3d(request: Request, state: SiteState): Answer | undefined {
  const isAllowed = request.headers.authorization === `Bearer ${goodApiKey}`
  if (request.path.startsWith('torrent/download/')) {
    const [, , name = ''] = request.path.split('/')
    return name.endsWith(canaryLinkKey) ? torrent(request, state, name.split('.')[0] ?? '') : html(loginForm)
  }
  if (!isAllowed) return { status: 401, headers: { 'content-type': 'application/json' }, body: '{"message":"no"}' }
  const { figures } = state
  if (request.path === 'api/user') {
    const amount = (bytes: number) =>
      request.skin === 'bytes' ? String(bytes) : `${(bytes / gib).toFixed(2)}\u00a0GiB`
    return json({
      username: 'walker',
      group: 'PowerUser',
      uploaded: amount(figures.uploaded),
      downloaded: amount(figures.downloaded),
      ratio: '5.00',
      buffer: amount(0),
      seeding: figures.seeding,
      leeching: 3,
      seedbonus: String(figures.bonus),
      hit_and_runs: 1,
    })
  }
  if (request.path === 'api/torrents/filter') {
    const rows = matching(request.skin, request.query.get('name') ?? '', request.query.get('free[]') === '100')
    return json({
      data: rows.map((one) => ({
        type: 'torrent',
        id: String(one.id),
        attributes: {
          name: one.title,
          size: one.sizeGib * gib,
          seeders: one.seeders,
          leechers: one.leechers,
          times_completed: one.snatched,
          category: 'Movies',
          created_at: `${one.time.replace(' ', 'T')}.000000+08:00`,
          download_link: `${request.base}/torrent/download/${one.id}.${canaryLinkKey}`,
          details_link: `${request.base}/torrents/${one.id}`,
          info_hash: String(one.id).padStart(40, 'a'),
          freeleech: one.free ? '100%' : '0%',
          double_upload: false,
          featured: false,
          imdb_id: 1234567,
        },
      })),
      links: {},
      meta: {},
    })
  }
  return undefined
}

function mteam(request: Request, state: SiteState): Answer | undefined {
  if (request.path === `dl/${canaryLinkKey}`) return torrent(request, state, request.query.get('id') ?? '')
  if (request.headers['x-api-key'] !== goodApiKey) return json({ code: 1, message: 'key無效', data: null })
  const done = (data: unknown) => json({ code: request.skin === 'numbers' ? 0 : '0', message: 'SUCCESS', data })
  const { figures } = state
  switch (request.path) {
    case 'member/profile':
      return done({
        id: '77',
        username: 'walker',
        role: '3',
        memberCount: {
          uploaded: String(figures.uploaded),
          downloaded: String(figures.downloaded),
          bonus: String(figures.bonus),
          shareRate: '5.0',
        },
        memberStatus: { lastLogin: lastSeen(8), lastBrowse: lastSeen(8) },
      })
    case 'tracker/myPeerStatistics':
      return done({ seederCount: String(figures.seeding), seederSize: String(state.seedingBytes), leecherCount: '3' })
    case 'tracker/mybonus':
      return done({ formulaParams: { finalBs: '34.567' } })
    case 'msg/notify/statistic':
      return done({ count: '5', unMake: '2' })
    // The interface's source is not public: as two programs that use it ask, and read its answer (`data.dlUrl`).
    case 'rss/genlink': {
      const asked = JSON.parse(request.body) as { pageSize?: number; tkeys?: unknown }
      if (!Array.isArray(asked.tkeys) || asked.pageSize === undefined)
        return json({ code: 1, message: '參數錯誤', data: null })
      return done({ dlUrl: `${request.base}/rss/fetch?dl=1&pageSize=${asked.pageSize}&sign=${canaryLinkKey}&uid=77` })
    }
    case 'torrent/genDlToken':
      return done(`${request.base}/dl/${canaryLinkKey}?id=${new URLSearchParams(request.body).get('id')}`)
    case 'torrent/search': {
      const asked = JSON.parse(request.body) as { keyword: string; discount?: string }
      const isKnown = [undefined, 'FREE', '_2X_FREE'].includes(asked.discount)
      if (!isKnown) return json({ code: 1, message: 'SEARCH_FIELD_ERROR', data: null })
      const all = matching(request.skin, asked.keyword, asked.discount === 'FREE')
      const rows = asked.discount === '_2X_FREE' ? [] : all
      return done({
        total: String(rows.length),
        data: rows.map((one) => ({
          id: String(one.id),
          name: one.title,
          smallDescr: one.subtitle,
          size: String(one.sizeGib * gib),
          createdDate: one.time,
          category: '401',
          imdb: 'https://www.imdb.com/title/tt1234567/',
          douban: '',
          labelsNew: ['中字'],
          status: {
            seeders: String(one.seeders),
            leechers: one.leechers,
            timesCompleted: String(one.snatched),
            discount: one.free ? 'FREE' : 'NORMAL',
            discountEndTime: one.freeUntil === '' ? null : one.freeUntil,
          },
        })),
      })
    }
    default:
      return undefined
  }
}

function gazelle(request: Request, state: SiteState): Answer | undefined {
  // For who is signed in by a cookie: the two keys, which the software asks for besides.
  const isLinked = request.query.get('authkey') === canaryLinkKey && request.query.get('torrent_pass') === canaryLinkKey
  if (request.path === 'torrents.php' && isLinked && request.headers.cookie === goodCookie)
    return torrent(request, state, request.query.get('id') ?? '')
  if (request.path === 'index.php') {
    if (request.headers.cookie !== goodCookie)
      return { status: 302, headers: { location: `${request.base}/login.php` }, body: '' }
    // As OPSnet/Gazelle `templates/macro/header.twig` at 71b4515 writes the head, and WhatCD/Gazelle with the other two keys.
    const old = request.skin.startsWith('elder') ? `&amp;user=7&amp;authkey=${canaryLinkKey}` : ''
    const links = ['feed_news', `torrents_notify_${canaryLinkKey}`, 'torrents_all', 'torrents_music'].map(
      (feed) =>
        `<link rel="alternate" type="application/rss+xml" title="x" href="feeds.php?feed=${feed}&amp;auth=${feed}1f&amp;passkey=${canaryLinkKey}${old}" />`,
    )
    return html(`<!DOCTYPE html><html><head>${links.join('')}</head><body><a href="logout.php">x</a></body></html>`)
  }
  if (request.path !== 'ajax.php') return undefined
  const isAllowed = request.headers.authorization === goodApiKey || request.headers.cookie === goodCookie
  if (!isAllowed) return json({ status: 'failure', error: 'bad credentials' })
  const done = (response: unknown) => json({ status: 'success', response })
  const { figures } = state
  switch (request.query.get('action')) {
    case 'index':
      return done({
        username: 'walker',
        id: 7,
        authkey: canaryLinkKey,
        passkey: canaryLinkKey,
        notifications: { messages: 2 },
        userstats: { uploaded: figures.uploaded, downloaded: figures.downloaded, ratio: 5, class: 'Power User' },
      })
    case 'user':
      return done({
        stats: { lastAccess: lastSeen() },
        community: { seeding: figures.seeding, leeching: 3 },
      })
    // As WhatCD/Gazelle `sections/ajax/community_stats.php` writes them: without the size that some forks add.
    case 'community_stats':
      if (!/^[0-9]+$/.test(request.query.get('userid') ?? '')) return json({ status: 'failure', error: 'failure' })
      return done({
        leeching: 3,
        seeding: figures.seeding.toLocaleString('en'),
        snatched: false,
      })
    case 'download':
      if (request.headers.authorization === undefined)
        return json({ status: 'failure', error: 'This page requires an api token' })
      return torrent(request, state, request.query.get('id') ?? '')
    case 'browse': {
      const rows = matching(
        request.skin,
        request.query.get('searchstr') ?? '',
        request.query.get('freetorrent') === '1',
      )
      return done({
        currentPage: 1,
        pages: 1,
        results: rows.map((one) => ({
          groupId: one.id + 1000,
          groupName: one.title,
          artist: '',
          tags: ['walking'],
          torrents: [
            {
              torrentId: one.id,
              size: one.sizeGib * gib,
              seeders: one.seeders,
              leechers: one.leechers,
              snatches: one.snatched,
              time: utcOf(one.time),
              isFreeleech: one.free,
              isNeutralLeech: false,
              isPersonalFreeleech: false,
              format: 'FLAC',
              encoding: 'Lossless',
              media: 'CD',
            },
          ],
        })),
      })
    }
    default:
      return undefined
  }
}

function utcOf(time: string): string {
  return new Date(Date.parse(`${time.replace(' ', 'T')}+08:00`)).toISOString().slice(0, 19).replace('T', ' ')
}

function torznab(request: Request, state: SiteState): Answer | undefined {
  if (request.path === `dl/${canaryLinkKey}`) return torrent(request, state, '0')
  if (request.path !== 'api') return undefined
  if (request.query.get('apikey') !== goodApiKey) {
    return xml('<?xml version="1.0"?><error code="100" description="Invalid API Key"/>')
  }
  const items = matching(request.skin, request.query.get('q') ?? '').map(
    (one) =>
      `<item><title>${one.title}</title><guid>${one.id}</guid><pubDate>${new Date(Date.parse(`${one.time.replace(' ', 'T')}+08:00`)).toUTCString()}</pubDate><size>${one.sizeGib * gib}</size><link>${request.base}/dl/${canaryLinkKey}</link><category>2000</category><enclosure url="${request.base}/dl/${canaryLinkKey}" length="${one.sizeGib * gib}" type="application/x-bittorrent" /><torznab:attr name="seeders" value="${one.seeders}" /><torznab:attr name="peers" value="${one.seeders + one.leechers}" /><torznab:attr name="grabs" value="${one.snatched}" /><torznab:attr name="downloadvolumefactor" value="${one.free ? 0 : 1}" /><torznab:attr name="uploadvolumefactor" value="1" />${one.hr ? '<torznab:attr name="minimumseedtime" value="172800" />' : ''}</item>`,
  )
  return xml(
    `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:torznab="http://torznab.com/schemas/2015/feed"><channel><title>stand-in</title>${items.join('')}</channel></rss>`,
  )
}

/** A whole ICO head and nothing else: enough to be recognised. */
export const iconFile = Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), Buffer.alloc(58, 1)])

let gbkBytes: Map<string, readonly number[]> | undefined

/** There is no encoder for it in the runtime; the decoder, asked for every pair, gives the table. */
export function encodeGbk(text: string): Buffer {
  if (gbkBytes === undefined) {
    gbkBytes = new Map()
    const decoder = new TextDecoder('gbk')
    for (let lead = 0x81; lead <= 0xfe; lead += 1) {
      for (let trail = 0x40; trail <= 0xfe; trail += 1) {
        if (trail !== 0x7f) gbkBytes.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail])
      }
    }
  }
  const table = gbkBytes
  return Buffer.from([...text].flatMap((one) => (one < '\u0080' ? [one.charCodeAt(0)] : (table.get(one) ?? [0x3f]))))
}
