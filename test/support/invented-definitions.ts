/**
 * Invented tracker definitions in the format that owners bring (version 11), and the pages of the sites they describe. Each
 * definition leads to the same rows by another way, so that one expectation judges them all.
 */
import { stringify } from 'yaml'

type Part = Readonly<Record<string, unknown>>

export interface InventedDefinition {
  readonly name: string
  /** What it is about. */
  readonly feature: string
  readonly definition: Part
  readonly answers?: Readonly<Record<string, string>>
  readonly choices?: Readonly<Record<string, string>>
  readonly cookie?: string
  readonly site: (request: Request, body: string) => Answer
  /** Rows that are expected, by their numbers; both where it is left out. */
  readonly rows?: readonly number[]
  readonly keyword?: string
  readonly categoryIds?: readonly string[]
}

export interface Answer {
  readonly status?: number
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
}

export interface InventedRow {
  readonly id: number
  readonly title: string
  readonly category: string
  readonly size: string
  readonly bytes: number
  readonly seeders: number
  readonly leechers: number
  readonly grabs: number
  readonly free: boolean
  readonly hash: string
}

/** 2031-05-14 12:00:00 UTC. */
export const inventedNowUnix = Date.UTC(2031, 4, 14, 12) / 1000
/** Of every row: two hours before. */
export const inventedDate = '2031-05-14 10:00:00'
export const inventedDateUnix = inventedNowUnix - 7200

const gib = 1024 ** 3

export const inventedRows: readonly InventedRow[] = [
  {
    id: 7001,
    title: 'Quiet Harbour 2030 1080p',
    category: '11',
    size: '4.50 GB',
    bytes: 4.5 * gib,
    seeders: 31,
    leechers: 4,
    grabs: 120,
    free: true,
    hash: 'ab'.repeat(20),
  },
  {
    id: 7002,
    title: 'Loud Desert S02E03 720p',
    category: '22',
    size: '700.0 MB',
    bytes: 700 * 1024 ** 2,
    seeders: 2,
    leechers: 0,
    grabs: 9,
    free: false,
    hash: 'cd'.repeat(20),
  },
]

export const origin = 'https://harbour.example'

function base(id: string, search: Part, more: Part = {}): Part {
  return {
    id,
    name: `Harbour ${id}`,
    description: 'An invented tracker',
    language: 'en-US',
    type: 'private',
    encoding: 'UTF-8',
    links: [`${origin}/`],
    caps: {
      categorymappings: [
        { id: 11, cat: 'Movies/HD', desc: 'Films', default: true },
        { id: 22, cat: 'TV/HD', desc: 'Series' },
      ],
      modes: { search: ['q'], 'tv-search': ['q', 'season', 'ep'] },
    },
    settings: [],
    search,
    ...more,
  }
}

const fields: Part = {
  category: { selector: 'a[href*="cat="]', attribute: 'href', filters: [{ name: 'querystring', args: 'cat' }] },
  title: { selector: 'a.title' },
  details: { selector: 'a.title', attribute: 'href' },
  download: { selector: 'a.get', attribute: 'href' },
  size: { selector: 'td.size' },
  seeders: { selector: 'td:nth-child(4)' },
  leechers: { selector: 'td:nth-child(5)' },
  grabs: { selector: 'td:nth-child(6)' },
  date: { selector: 'td.date', filters: [{ name: 'dateparse', args: 'yyyy-MM-dd HH:mm:ss' }] },
  downloadvolumefactor: { case: { 'img.free': 0, '*': 1 } },
  uploadvolumefactor: { text: 1 },
}

const rows: Part = { selector: 'table#list > tbody > tr:has(a.get)' }
const plainSearch: Part = { paths: [{ path: 'browse.php' }], inputs: { q: '{{ .Keywords }}' }, rows, fields }

export function rowHtml(row: InventedRow, more = ''): string {
  return `<tr><td><a href="browse.php?cat=${row.category}">c</a></td><td><a class="title" href="details.php?id=${row.id}">${row.title}</a>${
    row.free ? '<img class="free">' : ''
  } <a class="get" href="get.php?id=${row.id}">get</a>${more}</td><td class="size">${row.size}</td><td>${row.seeders}</td><td>${row.leechers}</td><td>${row.grabs}</td><td class="date">${inventedDate}</td></tr>`
}

/** Rows stand in the table itself: a browser puts a body around them. */
export function listHtml(
  list: readonly InventedRow[] = inventedRows,
  more: (row: InventedRow) => string = () => '',
): string {
  return `<!doctype html><html><head><title>Harbour</title></head><body><a href="logout.php">out</a><table id="list"><tr><th>c</th></tr>${list
    .map((row) => rowHtml(row, more(row)))
    .join('')}</table></body></html>`
}

const html = (body: string): Answer => ({ body, headers: { 'content-type': 'text/html; charset=utf-8' } })
const json = (value: unknown): Answer => ({
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
})
const closed = html(
  '<html><body><form action="takelogin.php"><input name="u"><input type="password" name="p"></form></body></html>',
)
const plainSite = () => html(listHtml())

const jsonRows = inventedRows.map((row) => ({
  id: row.id,
  free: row.free,
  attributes: {
    name: row.title,
    category_id: Number(row.category),
    size: row.bytes,
    seeders: row.seeders,
    leechers: row.leechers,
    done: row.grabs,
    created: `${inventedDate.replace(' ', 'T')}Z`,
    link: `${origin}/get.php?id=${row.id}`,
    tags: ['x', 'y'],
  },
}))

const jsonFields: Part = {
  category: { selector: 'category_id' },
  title: { selector: 'name' },
  _id: { selector: '..id' },
  details: { text: '/details.php?id={{ .Result._id }}' },
  download: { selector: 'link' },
  size: { selector: 'size' },
  seeders: { selector: 'seeders' },
  leechers: { selector: 'leechers' },
  grabs: { selector: 'done' },
  date: { selector: 'created', filters: [{ name: 'dateparse', args: 'yyyy-MM-ddTHH:mm:ssZ' }] },
  downloadvolumefactor: { selector: '..free', case: { True: 0, False: 1 } },
  uploadvolumefactor: { text: 1 },
}

const jsonSearch: Part = {
  paths: [{ path: 'api/list', response: { type: 'json' } }],
  inputs: { q: '{{ .Keywords }}' },
  rows: { selector: 'data', attribute: 'attributes' },
  fields: { ...jsonFields, date: { selector: 'created' } },
}

const xmlText = `<?xml version="1.0"?><rss><channel>${inventedRows
  .map(
    (row) =>
      `<item><title><![CDATA[${row.title}]]></title><guid>${origin}/details.php?id=${row.id}</guid><pubDate>Wed, 14 May 2031 10:00:00 +0000</pubDate><category>${row.category}</category><enclosure url="${origin}/get.php?id=${row.id}" length="${row.bytes}"/><seeds>${row.seeders}</seeds><peers>${row.leechers}</peers><grabs>${row.grabs}</grabs><factor>${row.free ? 0 : 1}</factor></item>`,
  )
  .join('')}</channel></rss>`

const xmlSearch: Part = {
  paths: [{ path: 'rss', response: { type: 'xml' } }],
  rows: { selector: 'rss > channel > item' },
  fields: {
    category: { selector: 'category' },
    title: { selector: 'title' },
    details: { selector: 'guid' },
    download: { selector: 'enclosure', attribute: 'url' },
    size: { selector: 'enclosure', attribute: 'length' },
    seeders: { selector: 'seeds' },
    leechers: { selector: 'peers' },
    grabs: { selector: 'grabs' },
    date: { selector: 'pubDate', filters: [{ name: 'dateparse', args: 'ddd, dd MMM yyyy HH:mm:ss zzz' }] },
    downloadvolumefactor: { selector: 'factor' },
    uploadvolumefactor: { text: 1 },
  },
}

function withField(name: string, field: Part, more: Part = {}): Part {
  return { ...plainSearch, ...more, fields: { ...fields, [name]: field } }
}

/** Ways to the same field. */
const fieldVariants: readonly (readonly [feature: string, search: Part, site?: () => Answer])[] = [
  [
    'attribute',
    withField('title', { selector: 'a.title', attribute: 'title' }),
    () =>
      html(listHtml().replace(/class="title" href="([^"]+)">([^<]+)</g, 'class="title" href="$1" title="$2">short<')),
  ],
  [
    'remove',
    withField('title', { selector: 'a.title', remove: 'i, b > u' }),
    () => html(listHtml().replace(/(class="title"[^>]*>)/g, '$1<i>noise</i>')),
  ],
  [
    'case with templates',
    withField('downloadvolumefactor', { case: { 'img.free': '{{ if .True }}0{{ else }}1{{ end }}', '*': '1' } }),
  ],
  [
    'case of a contained text',
    withField('downloadvolumefactor', { case: { 'a:contains("Quiet (")': 1, 'a:contains("Quiet")': 0, '*': 1 } }),
  ],
  [
    'optional and default',
    withField('grabs', {
      selector: 'td.none',
      optional: true,
      default: '{{ if eq .Result.title "Quiet Harbour 2030 1080p" }}120{{ else }}9{{ end }}',
    }),
  ],
  ['optional without default', withField('imdbid', { selector: 'a.imdb', optional: true })],
  ['text of earlier results', withField('details', { text: '{{ .Config.sitelink }}details.php?id={{ .Result._id }}' })],
  ['title by parts', withField('title', { selector: 'a.title', filters: [{ name: 'split', args: [' ', 0] }] })],
  ['nth-last-child', withField('grabs', { selector: 'td:nth-last-child(2)' })],
  ['not and has', withField('size', { selector: 'td:not(:has(a)):not(.date):nth-of-type(3)' })],
  [
    're_replace',
    withField('size', { selector: 'td.size', filters: [{ name: 're_replace', args: ['(?i)\\s*(gb|mb)$', ' $1'] }] }),
  ],
  [
    'regexp',
    withField('category', {
      selector: 'a[href*="cat="]',
      attribute: 'href',
      filters: [{ name: 'regexp', args: '[?&]cat=(\\d+)' }],
    }),
  ],
  [
    'replace, prepend and append',
    withField('category', {
      selector: 'a[href*="cat="]',
      attribute: 'href',
      filters: [
        { name: 'replace', args: ['browse.php?cat=', ''] },
        { name: 'prepend', args: '-' },
        { name: 'trim', args: '-' },
        { name: 'append', args: '' },
      ],
    }),
  ],
  ['fuzzytime', withField('date', { selector: 'td.date', filters: [{ name: 'fuzzytime' }] })],
  ['timeago', withField('date', { text: '2 hours ago', filters: [{ name: 'timeago' }] })],
  ['reltime', withField('date', { text: '120 min', filters: [{ name: 'reltime' }] })],
  [
    'layout of Go',
    withField('date', { selector: 'td.date', filters: [{ name: 'dateparse', args: '2006-01-02 15:04:05' }] }),
  ],
  ['timeparse', withField('date', { text: '10:00 +00:00', filters: [{ name: 'timeparse', args: 'HH:mm zzz' }] })],
  [
    'date with a zone',
    withField('date', {
      selector: 'td.date',
      filters: [
        { name: 'append', args: ' +00:00' },
        { name: 'dateparse', args: 'yyyy-MM-dd HH:mm:ss zzz' },
      ],
    }),
  ],
  ['htmldecode', withField('title', { selector: 'a.title', filters: [{ name: 'htmldecode' }] })],
  [
    'urldecode and urlencode',
    withField('title', { selector: 'a.title', filters: [{ name: 'urlencode' }, { name: 'urldecode' }] }),
  ],
  [
    'toupper and tolower',
    withField('category', {
      selector: 'a[href*="cat="]',
      attribute: 'href',
      filters: [{ name: 'toupper' }, { name: 'tolower' }, { name: 'querystring', args: 'cat' }],
    }),
  ],
  [
    'diacritics',
    withField('title', { selector: 'a.title', filters: [{ name: 'diacritics', args: 'replace' }] }),
    () => html(listHtml().replace('Quiet', 'Quiët').replace('Loud', 'Lóud')),
  ],
  [
    'validate',
    withField('genre', { text: 'drama / war | none', filters: [{ name: 'validate', args: 'Drama, War, Crime' }] }),
  ],
  ['validfilename', withField('title', { selector: 'a.title', filters: [{ name: 'validfilename' }] })],
  [
    'hexdump and strdump',
    withField('title', { selector: 'a.title', filters: [{ name: 'hexdump' }, { name: 'strdump', args: 'here' }] }),
  ],
  [
    'jsonjoinarray',
    withField('genre', { text: '{"g":["a","b"]}', filters: [{ name: 'jsonjoinarray', args: ['$.g', ','] }] }),
  ],
  [
    'title|append',
    {
      ...plainSearch,
      fields: {
        ...fields,
        title: { selector: 'a.title', filters: [{ name: 're_replace', args: [' \\S+$', ''] }] },
        'title|append': { selector: 'a.title', filters: [{ name: 'regexp', args: '( \\S+)$' }] },
      },
    },
  ],
  [
    'categorydesc',
    {
      ...plainSearch,
      fields: {
        ...Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'category')),
        categorydesc: { text: '{{ if eq .Result._cat "11" }}Films{{ else }}Series{{ end }}' },
      },
    },
  ],
]

function variants(): InventedDefinition[] {
  return fieldVariants.map(([feature, search, site = plainSite], index) => {
    const name = `field-${index + 1}`
    const all = (search['fields'] ?? {}) as Part
    // Private results come first: others use them.
    const ordered = {
      _id: { selector: 'a.title', attribute: 'href', filters: [{ name: 'querystring', args: 'id' }] },
      _cat: { selector: 'a[href*="cat="]', attribute: 'href', filters: [{ name: 'querystring', args: 'cat' }] },
      ...all,
    }
    return { name, feature, definition: base(name, { ...search, fields: ordered }), site: () => site() }
  })
}

const login = (more: Part): Part => ({
  login: {
    path: 'login.php',
    error: [{ selector: 'div.bad' }],
    test: { path: 'index.php', selector: 'a[href="logout.php"]' },
    ...more,
  },
  settings: [
    { name: 'username', type: 'text', label: 'User name' },
    { name: 'password', type: 'password', label: 'Password' },
    { name: 'freeleech', type: 'checkbox', label: 'Free only', default: false },
    { name: 'sort', type: 'select', label: 'Order', default: 'added', options: { added: 'newest', seeders: 'most' } },
    { name: 'info_tip', type: 'info', label: 'About', default: 'Read this' },
  ],
})

const person = { username: 'sailor', password: 'p&ss wörd' }

/** A site that opens for a form with the right values, and shows its list to who has the cookie. */
function closedSite(
  opens: (fields: URLSearchParams, request: Request) => boolean,
  form: string,
): InventedDefinition['site'] {
  return (request, body) => {
    const { pathname, searchParams } = new URL(request.url)
    const isOpen = (request.headers.get('cookie') ?? '').includes('session=open')
    if (
      pathname === '/login.php' &&
      request.method === 'GET' &&
      !searchParams.has('username') &&
      !searchParams.has('key')
    )
      return {
        body: form,
        headers: [
          ['content-type', 'text/html'],
          ['set-cookie', 'seen=yes; path=/'],
        ],
      }
    if (pathname === '/takelogin.php' || pathname === '/login.php') {
      const given = new URLSearchParams(request.method === 'POST' ? body : searchParams)
      if (!opens(given, request)) return html('<div class="bad">wrong</div>')
      return {
        status: 302,
        body: '',
        headers: [
          ['location', '/index.php'],
          ['set-cookie', 'session=open; HttpOnly; path=/'],
        ],
      }
    }
    return isOpen ? plainSite() : closed
  }
}

const formPage =
  '<form id="search"><input name="q"></form><form id="enter" action="takelogin.php" method="post"><input type="hidden" name="token" value="t-1"><input name="username"><input type="password" name="password"><input type="checkbox" name="stay" value="1" checked><input type="checkbox" name="other" value="1"><script>var extra = "x-9";</script></form>'

const rightPerson = (given: URLSearchParams) =>
  given.get('username') === person.username && given.get('password') === person.password

const others: readonly InventedDefinition[] = [
  { name: 'plain', feature: 'a list', definition: base('plain', plainSearch), site: plainSite },
  {
    name: 'path-alone',
    feature: 'path in place of paths',
    definition: base('path-alone', { path: 'browse.php?q={{ .Keywords }}', rows, fields }),
    site: ({ url }) => (url.includes('q=loud+desert') ? plainSite() : html('none')),
    keyword: 'loud desert',
  },
  {
    name: 'get-inputs',
    feature: 'inputs of a GET, raw pairs of categories, empty ones left out',
    definition: base(
      'get-inputs',
      {
        ...plainSearch,
        inputs: {
          $raw: '{{ range .Categories }}c{{.}}=1&{{end}}',
          q: '{{ .Keywords }}',
          empty: '',
          sort: '{{ .Config.sort }}',
        },
      },
      login({ method: 'cookie', inputs: { cookie: '{{ .Config.cookie }}' } }),
    ),
    cookie: 'session=open',
    choices: { sort: 'seeders' },
    site: ({ url }) => (new URL(url).search === '?q=two+w%26rds&sort=seeders&c22=1' ? plainSite() : closed),
    keyword: 'two w&rds',
    categoryIds: ['22'],
  },
  {
    name: 'empty-inputs',
    feature: 'allowEmptyInputs',
    definition: base('empty-inputs', { ...plainSearch, allowEmptyInputs: true }),
    site: ({ url }) => (new URL(url).search === '?q=' ? plainSite() : html('none')),
  },
  {
    name: 'post-search',
    feature: 'a search by POST with headers',
    definition: base('post-search', {
      ...plainSearch,
      paths: [{ path: 'find', method: 'post', inputs: { page: 0 } }],
      headers: { 'X-Asked': ['{{ .Keywords }}'] },
    }),
    site: (request, body) =>
      request.method === 'POST' && body === 'q=loud&page=0' && request.headers.get('x-asked') === 'loud'
        ? plainSite()
        : html('none'),
    keyword: 'loud',
  },
  {
    name: 'own-inputs',
    feature: 'inheritinputs: false, queryseparator',
    definition: base('own-inputs', {
      ...plainSearch,
      paths: [{ path: 'browse', inheritinputs: false, queryseparator: ';', inputs: { a: 1, b: 2 } }],
    }),
    site: ({ url }) => (url.endsWith('/browse?a=1;b=2') ? plainSite() : html('none')),
  },
  {
    name: 'by-category',
    feature: 'paths of certain categories',
    definition: base('by-category', {
      ...plainSearch,
      paths: [
        { path: 'films', categories: [11] },
        { path: 'rest', categories: ['!', 11] },
      ],
    }),
    site: ({ url }) =>
      url.includes('/rest') ? html(listHtml(inventedRows.slice(1))) : html(listHtml(inventedRows.slice(0, 1))),
    categoryIds: ['22'],
    rows: [1],
  },
  {
    name: 'two-pages',
    feature: 'several paths, each row once',
    definition: base('two-pages', { ...plainSearch, paths: [{ path: 'p1' }, { path: 'p2' }] }),
    site: ({ url }) => html(listHtml(url.includes('/p1') ? inventedRows.slice(0, 1) : inventedRows)),
  },
  {
    name: 'keywordsfilters',
    feature: 'keywords through filters',
    definition: base('keywordsfilters', {
      ...plainSearch,
      keywordsfilters: [{ name: 're_replace', args: ['(?i)\\bS0*(\\d+)E0*(\\d+)\\b', 'season $1 episode $2'] }],
    }),
    site: ({ url }) =>
      new URL(url).searchParams.get('q') === 'desert season 2 episode 3' ? plainSite() : html('none'),
    keyword: 'desert S02E03',
  },
  {
    name: 'preprocessing',
    feature: 'preprocessingfilters over the page',
    definition: base('preprocessing', {
      ...plainSearch,
      preprocessingfilters: [{ name: 're_replace', args: ['<!--|-->', ''] }],
    }),
    site: () => html(listHtml().replace('<table', '<!--<table').replace('</table>', '</table>-->')),
  },
  {
    name: 'andmatch',
    feature: 'rows with all words',
    definition: base('andmatch', { ...plainSearch, rows: { ...rows, filters: [{ name: 'andmatch' }] } }),
    site: plainSite,
    keyword: 'harbour quiet',
    rows: [0],
  },
  {
    name: 'after',
    feature: 'what follows a row belongs to it',
    definition: base('after', {
      ...plainSearch,
      rows: { selector: 'table#list > tbody > tr:not(:has(th))', after: 1 },
      fields: { ...fields, seeders: { selector: 'td.more' } },
    }),
    site: () =>
      html(
        listHtml().replace(
          /<td>(\d+)<\/td><td>(\d+)<\/td><td>(\d+)<\/td>(<td class="date">[^<]*<\/td>)<\/tr>/g,
          '<td>0</td><td>$2</td><td>$3</td>$4</tr><tr><td class="more">$1</td></tr>',
        ),
      ),
  },
  {
    name: 'dateheaders',
    feature: 'the date above the rows',
    definition: base('dateheaders', {
      ...plainSearch,
      rows: {
        ...rows,
        dateheaders: { selector: 'td.day', filters: [{ name: 'dateparse', args: 'yyyy-MM-dd HH:mm:ss' }] },
      },
      fields: Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'date')),
    }),
    site: () =>
      html(
        listHtml().replace('<tr><th>c</th></tr>', `<tr><th>c</th></tr><tr><td class="day">${inventedDate}</td></tr>`),
      ),
  },
  {
    name: 'row-remove',
    feature: 'remove within rows',
    definition: base('row-remove', { ...plainSearch, rows: { ...rows, remove: 'td.extra' }, fields }),
    site: () => html(listHtml().replaceAll('<td class="size">', '<td class="extra">x</td><td class="size">')),
  },
  {
    name: 'row-template',
    feature: 'a selector of rows by a template',
    definition: base(
      'row-template',
      {
        ...plainSearch,
        rows: {
          selector: 'table#list > tbody > tr:has(a.get){{ if .Config.freeleech }}:has(img.free){{ else }}{{ end }}',
        },
      },
      login({ method: 'cookie' }),
    ),
    cookie: 'session=open',
    choices: { freeleech: 'true' },
    site: plainSite,
    rows: [0],
  },
  {
    name: 'count',
    feature: 'count of rows',
    definition: base('count', { ...plainSearch, rows: { ...rows, count: { selector: 'b.count' } } }),
    site: () => html(`${listHtml()}<b class="count">0</b>`),
    rows: [],
  },
  {
    name: 'root',
    feature: ':root',
    definition: base(
      'root',
      withField('downloadvolumefactor', { case: { ':root:has(b.none)': 1, ':root body img.free': '0', '*': 1 } }),
    ),
    site: () => html(listHtml([inventedRows[0] as InventedRow])),
    rows: [0],
  },
  { name: 'json', feature: 'JSON', definition: base('json', jsonSearch), site: () => json({ data: jsonRows }) },
  {
    name: 'json-conditions',
    feature: 'conditions on rows of JSON',
    definition: base('json-conditions', {
      ...jsonSearch,
      rows: {
        selector: 'data:has(attributes):not(gone):has(attributes.name:contains("Loud"))',
        attribute: 'attributes',
      },
    }),
    site: () => json({ data: [...jsonRows, { ...jsonRows[1], id: 1, gone: true }, { id: 2 }] }),
    rows: [1],
  },
  {
    name: 'json-root',
    feature: 'a list without a name',
    definition: base('json-root', { ...jsonSearch, rows: { selector: '$', attribute: 'attributes' } }),
    site: () => json(jsonRows),
  },
  {
    name: 'json-multiple',
    feature: 'several rows in one',
    definition: base('json-multiple', {
      ...jsonSearch,
      rows: { selector: 'groups', attribute: 'list', multiple: true },
      fields: {
        ...jsonFields,
        _id: { selector: 'id' },
        date: { selector: 'created' },
        downloadvolumefactor: { selector: 'free', case: { True: 0, '*': 1 } },
      },
    }),
    site: () =>
      json({ groups: jsonRows.map((row) => ({ list: [{ ...row.attributes, id: row.id, free: row.free }] })) }),
  },
  {
    name: 'json-missing',
    feature: 'missingAttributeEqualsNoResults',
    definition: base('json-missing', {
      ...jsonSearch,
      rows: { selector: 'data', attribute: 'attributes', missingAttributeEqualsNoResults: true },
    }),
    site: () => json({ data: [{ id: 1 }] }),
    rows: [],
  },
  {
    name: 'json-count',
    feature: 'count in JSON',
    definition: base('json-count', {
      ...jsonSearch,
      rows: { selector: 'data', attribute: 'attributes', count: { selector: '$.found' } },
    }),
    site: () => json({ found: 0, data: 'nothing' }),
    rows: [],
  },
  {
    name: 'json-none',
    feature: 'noResultsMessage',
    definition: base('json-none', {
      ...jsonSearch,
      paths: [{ path: 'api', response: { type: 'json', noResultsMessage: 'No torrents' } }],
    }),
    site: () => json({ error: 'No torrents here' }),
    rows: [],
  },
  {
    name: 'json-key',
    feature: 'a key in a header',
    definition: base(
      'json-key',
      { ...jsonSearch, headers: { Authorization: ['Bearer {{ .Config.apikey }}'] } },
      {
        settings: [{ name: 'apikey', type: 'text', label: 'Key' }],
        login: {
          path: 'api/me',
          method: 'get',
          inputs: { key: '{{ .Config.apikey }}' },
          error: [{ selector: ':contains("denied")' }],
        },
      },
    ),
    answers: { apikey: 'k-1' },
    site: (request) =>
      new URL(request.url).pathname === '/api/me'
        ? json(new URL(request.url).searchParams.get('key') === 'k-1' ? { me: 1 } : 'denied')
        : request.headers.get('authorization') === 'Bearer k-1'
          ? json({ data: jsonRows })
          : json({}),
  },
  {
    name: 'xml',
    feature: 'XML',
    definition: base('xml', xmlSearch),
    site: () => ({ body: xmlText, headers: { 'content-type': 'text/xml' } }),
  },
  {
    name: 'charset',
    feature: 'another character set both ways',
    definition: { ...base('charset', plainSearch), encoding: 'windows-1251' },
    site: ({ url }) =>
      url.endsWith('q=%F2%E5%F1%F2')
        ? { body: listHtml(), headers: { 'content-type': 'text/html; charset=windows-1251' } }
        : html('none'),
    keyword: 'тест',
  },
  {
    name: 'cookie',
    feature: 'a cookie',
    definition: base('cookie', plainSearch, login({ method: 'cookie', inputs: { cookie: '{{ .Config.cookie }}' } })),
    cookie: 'session=open; other=1',
    site: closedSite(() => false, closed.body as string),
  },
  {
    name: 'cookie-answer',
    feature: 'a cookie among the answers',
    definition: base('cookie-answer', plainSearch, {
      ...login({ method: 'cookie' }),
      settings: [{ name: 'cookie', type: 'text', label: 'Cookie' }],
    }),
    answers: { cookie: 'session=open' },
    site: closedSite(() => false, closed.body as string),
  },
  {
    name: 'form',
    feature: 'a form with hidden fields',
    definition: base(
      'form',
      plainSearch,
      login({
        method: 'form',
        form: 'form#enter',
        cookies: ['lang=en'],
        inputs: { username: '{{ .Config.username }}', password: '{{ .Config.password }}' },
        selectorinputs: {
          extra: { selector: 'script:contains("extra")', filters: [{ name: 'regexp', args: 'extra = "([^"]+)"' }] },
        },
      }),
    ),
    answers: person,
    site: closedSite(
      (given, request) =>
        rightPerson(given) &&
        given.get('token') === 't-1' &&
        given.get('stay') === '1' &&
        !given.has('other') &&
        given.get('extra') === 'x-9' &&
        (request.headers.get('cookie') ?? '') === 'lang=en; seen=yes',
      formPage,
    ),
  },
  {
    name: 'form-selectors',
    feature: 'inputs named by selectors, another place, inputs of the address',
    definition: base(
      'form-selectors',
      plainSearch,
      login({
        method: 'form',
        form: '#enter',
        submitpath: 'takelogin.php',
        selectors: true,
        inputs: { 'input[name^="user"]': '{{ .Config.username }}', 'input[type="password"]': '{{ .Config.password }}' },
        getselectorinputs: { t: { selector: 'input[name="token"]', attribute: 'value' } },
      }),
    ),
    answers: person,
    site: closedSite((given, request) => rightPerson(given) && request.url.endsWith('/takelogin.php?t=t-1'), formPage),
  },
  {
    name: 'post',
    feature: 'names sent without a form',
    definition: base(
      'post',
      plainSearch,
      login({
        method: 'post',
        path: 'takelogin.php',
        inputs: { username: '{{ .Config.username }}', password: '{{ .Config.password }}' },
        headers: { 'X-Door': ['front'] },
      }),
    ),
    answers: person,
    site: closedSite((given, request) => rightPerson(given) && request.headers.get('x-door') === 'front', formPage),
  },
  {
    name: 'get',
    feature: 'names in the address',
    definition: base(
      'get',
      plainSearch,
      login({ method: 'get', inputs: { username: '{{ .Config.username }}', password: '{{ .Config.password }}' } }),
    ),
    answers: person,
    site: closedSite(rightPerson, formPage),
  },
  {
    name: 'oneurl',
    feature: 'an address that opens',
    definition: base('oneurl', plainSearch, {
      ...login({ method: 'oneurl', path: 'login.php', inputs: { oneurl: '?key={{ .Config.password }}' } }),
    }),
    answers: { password: 'k1' },
    site: closedSite((given) => given.get('key') === 'k1', formPage),
  },
]

export const inventedDefinitions: readonly InventedDefinition[] = [...others, ...variants()]

export function inventedText(one: InventedDefinition): string {
  return stringify(one.definition)
}
