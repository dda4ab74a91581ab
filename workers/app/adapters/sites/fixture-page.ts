/**
 * A page of a site as a fixture: its structure, its labels and the shape of its numbers, and nothing that tells whose it
 * is. What is not known to be harmless is replaced or left out.
 */
import { type AnyNode, type Document, type Element, isTag, isText, Text } from 'domhandler'
import { getOuterHTML, removeElement, textContent } from 'domutils'
import { createMask, type Mask, type Masking } from '../../core/masking.ts'
import { plainText } from '../../core/site-numbers.ts'
import { descendants, parseMarkup } from './markup.ts'

export interface FixtureOptions extends Masking {
  /** The page has rows of a head and a value, whose heads are what a reader looks for. */
  readonly hasDetails: boolean
}

/** What runs, what is not shown, and what holds text of its own. */
const leftOut = new Set([
  'script',
  'style',
  'iframe',
  'object',
  'embed',
  'svg',
  'meta',
  'link',
  'base',
  'noscript',
  'template',
])
/** How something looks or is laid out. */
const layoutAttributes = new Set([
  'align',
  'border',
  'cellpadding',
  'cellspacing',
  'color',
  'colspan',
  'dir',
  'height',
  'lang',
  'method',
  'rowspan',
  'size',
  'type',
  'valign',
  'width',
])
/** Of parameters in links: what kind of list is meant, never whose. */
const harmlessValues = new Set(['seeding', 'leeching', 'completed', 'incomplete', 'uploaded', 'asc', 'desc', '0', '1'])
const wordTags = new Set(['b', 'strong', 'font', 'span', 'nobr', 'i', 'u', 'br'])
const headCharactersMax = 24

export function fixturePage(text: string, options: FixtureOptions): string {
  const mask = createMask(options)
  const page = parseMarkup(text)
  const heads = new Set(options.hasDetails ? descendants(page).flatMap((row) => detailHead(row, mask)) : [])
  cleanChildren(page, mask, heads)
  return getOuterHTML(page)
}

/** The head of a row of two cells: words, and no link, which would lead to somebody. */
function detailHead(row: Element, mask: Mask): Element[] {
  const cells = row.name === 'tr' ? row.children.filter(isTag) : []
  const [head] = cells
  if (cells.length !== 2 || head === undefined) return []
  const words = plainText(textContent(head), 4 * headCharactersMax)
  const isPlain = descendants(head).every(({ name }) => wordTags.has(name))
  const isWords = words !== '' && words.length <= headCharactersMax && !/[\d@]/.test(words) && !mask.hasSecret(words)
  return isPlain && isWords ? [head] : []
}

function cleanChildren(parent: Document | Element, mask: Mask, heads: ReadonlySet<Element>): void {
  // From the end: what is left out takes its place with it.
  for (const child of [...parent.children].reverse()) clean(child, mask, heads)
}

function clean(node: AnyNode, mask: Mask, heads: ReadonlySet<Element>): void {
  if (isText(node)) {
    node.data = mask.text(node.data)
    return
  }
  if (!isTag(node) || leftOut.has(node.name) || !/^[a-z][a-z0-9]{0,15}$/.test(node.name)) {
    mask.note('part')
    removeElement(node)
    return
  }
  for (const [name, value] of Object.entries(node.attribs)) {
    const cleaned = attribute(name, value, mask)
    if (cleaned === undefined) delete node.attribs[name]
    else node.attribs[name] = cleaned
  }
  if (!heads.has(node)) {
    cleanChildren(node, mask, heads)
    return
  }
  const words = new Text(plainText(textContent(node), 4 * headCharactersMax))
  words.parent = node
  node.children = [words]
}

/** Undefined for what is left out. */
function attribute(name: string, value: string, mask: Mask): string | undefined {
  switch (name) {
    case 'class':
      return value
        .split(/\s+/)
        .map((one) => nameOf(one, mask))
        .join(' ')
    case 'id':
    case 'name':
      return nameOf(value, mask)
    case 'alt':
    case 'title':
      return mask.text(value)
    case 'href':
    case 'action':
      return addressOf(value, mask)
    case 'src':
      mask.note('address')
      return 'pic/picture.gif'
    case 'style':
      return /^[a-z\s:;#%.,0-9-]{1,200}$/i.test(value) && !mask.hasSecret(value) ? value : undefined
    case 'onmouseover': {
      // Where a tooltip alone tells when a promotion ends.
      const until = /\btitle=["']?([0-9T: .-]{10,40})/.exec(value)?.[1]
      return until === undefined ? undefined : `tooltip('<span title="${mask.text(until)}">')`
    }
    default:
      return layoutAttributes.has(name) && /^[\w#%.-]{1,12}$/.test(value) && !mask.hasSecret(value) ? value : undefined
  }
}

/** What a page calls its parts. Numbers in it are somebody's, and what holds a secret is none of them. */
function nameOf(name: string, mask: Mask): string {
  if (!/^[a-z][\w-]{0,39}$/i.test(name) || mask.hasSecret(name)) return mask.token(name.slice(0, 40))
  return name.replace(/\d{3,}/g, (digits) => mask.id(digits))
}

const nowhere = 'https://site.example'

function addressOf(value: string, mask: Mask): string {
  mask.note('address')
  if (!URL.canParse(value, `${nowhere}/`)) return 'x'
  const { protocol, origin, pathname, searchParams } = new URL(value, `${nowhere}/`)
  if (protocol !== 'https:' && protocol !== 'http:') return 'x'
  const file = /\/([a-z_-]{1,32}\.php)$/i.exec(pathname)?.[1]
  const place = file === undefined || mask.hasSecret(file) ? 'x' : file
  const asked = [...searchParams].map(([name, one]) => {
    const said = /^[a-z_]{1,20}$/i.test(name) && !mask.hasSecret(name) ? name : mask.token(name.slice(0, 20))
    if (harmlessValues.has(one)) return `${said}=${one}`
    return `${said}=${/^[0-9]{1,18}$/.test(one) ? mask.id(one) : encodeURIComponent(mask.token(one.slice(0, 64)))}`
  })
  const query = asked.length === 0 ? '' : `?${asked.join('&')}`
  return origin === nowhere ? `${place}${query}` : `https://elsewhere.example/${place}${query}`
}
