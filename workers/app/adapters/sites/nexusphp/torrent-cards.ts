/**
 * Reads lists of themes without a table: one part of the page for each torrent, its figures told apart by the names of
 * their marks or by where the software's own links lead. A part that does not tell size, seeders and leechers is left out.
 */

import { type Document, type Element, isTag } from 'domhandler'
import { textContent } from 'domutils'
import { pushTo } from '#shared/kernel/push-to.ts'
import type { SearchHit, SiteProfile } from '../../../core/site.ts'
import { leadingSize, readCount } from '../../../core/site-numbers.ts'
import { siteHitsMax } from '../../../limits.ts'
import { descendants, spacedText } from '../markup.ts'
import { noteElements, timeIn } from './row-elements.ts'
import { type Column, isPin, RowFacts, torrentIdIn } from './torrent-row.ts'

type Field = Exclude<Column, 'category'> | 'subtitle'

/** By the name of a mark. A bar of progress or a mark for the own state is called after the same things. */
const fieldNames: readonly (readonly [Field, RegExp])[] = [
  ['seeders', /seeder/i],
  ['leechers', /leecher/i],
  ['snatched', /snatch|finish|complet/i],
  ['size', /(?:^|[-_])(?:file)?size$/i],
  ['time', /(?:^|[-_])(?:added|time)(?:$|[-_])/i],
  ['subtitle', /small[-_]?(?:name|descr?)|sub[-_]?title/i],
]
const otherNames = /progress|status|icon|bar|sort|filter/i
const countsLink = /#(?:seeders|leechers)$/
/** A mark within the name that says how old it is. */
const isNews = ({ attribs }: Element) => /^(?:new|hot)$/.test(attribs['class'] ?? '')
const fieldLinks: readonly (readonly [Field, RegExp])[] = [
  ['seeders', /details\.php\?[^#]*#seeders$/],
  ['leechers', /details\.php\?[^#]*#leechers$/],
  ['snatched', /viewsnatches\.php\?/],
]
type Fields = ReadonlyMap<Field, Element>

interface Card {
  readonly part: Element
  readonly fields: Fields
}

export function readTorrentCards(page: Document, profile: SiteProfile): SearchHit[] | undefined {
  const links = descendants(page).filter(
    ({ name, attribs }) => name === 'a' && torrentIdIn(attribs['href']) !== undefined,
  )
  const idOf = idsOfParts(links)
  const byId = new Map<string, Element[]>()
  for (const link of links) pushTo(byId, torrentIdIn(link.attribs['href']) ?? '', link)
  const cards = [...byId].slice(0, siteHitsMax).flatMap(([id, [link]]) => {
    const part = link === undefined ? undefined : partOf(link, (one) => idOf.get(one) === id, byId.size === 1)
    if (part === undefined || link === undefined) return []
    const fields = fieldsOf(part)
    return isEnough(fields) ? [{ id, part, fields, order: orderIn({ part, fields }, link) }] : []
  })
  const usual = mostOf(cards.map(({ order }) => order))
  const hits = cards.flatMap((card) =>
    card.order === usual ? readCard(card.id, card, byId.get(card.id) ?? [], profile) : [],
  )
  return hits.length === 0 ? undefined : hits
}

const neededFields = ['size', 'seeders', 'leechers'] as const

/** In which order a part tells what is needed. The parts of a page are alike; one that is not has got a piece of another. */
function orderIn({ part, fields }: Card, link: Element): string {
  const told = new Map([[link, 'link'], ...neededFields.map((field) => [fields.get(field), field] as const)])
  return [part, ...descendants(part)].flatMap((element) => told.get(element) ?? []).join()
}

/** Undefined where two are there as often: then nobody knows which of them is right. */
function mostOf(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const [most, next] = [...counts].sort(([, one], [, other]) => other - one)
  return most === undefined || most[1] === next?.[1] ? undefined : most[0]
}

/** Of each part of the page the one torrent it holds; an empty name for several. */
function idsOfParts(links: readonly Element[]): ReadonlyMap<Element, string> {
  const ids = new Map<Element, string>()
  for (const link of links) {
    const id = torrentIdIn(link.attribs['href']) ?? ''
    for (let part: Element | null = link; part !== null && part.name !== 'body'; part = above(part)) {
      const known = ids.get(part)
      if (known === '') break
      ids.set(part, known === undefined || known === id ? id : '')
    }
  }
  return ids
}

function above({ parent }: Element): Element | null {
  return parent !== null && isTag(parent) ? parent : null
}

/** The largest part that is of one torrent only; where the page has no other, the smallest that tells enough. */
function partOf(link: Element, isOfOne: (part: Element) => boolean, isOnlyOne: boolean): Element | undefined {
  let found: Element | undefined
  for (let part: Element | null = link; part !== null && isOfOne(part); part = above(part)) {
    found = part
    if (isOnlyOne && isEnough(fieldsOf(part))) return part
  }
  return found
}

function isEnough(fields: Fields): boolean {
  return (
    sizeIn(fields.get('size')) !== undefined &&
    countIn(fields.get('seeders')) !== undefined &&
    countIn(fields.get('leechers')) !== undefined
  )
}

/** The outermost mark of each name. One that stands there twice is none: either could be of another torrent. */
function fieldsOf(part: Element): Fields {
  const fields = new Map<Field, Element>()
  const twice = new Set<Field>()
  for (const element of descendants(part)) {
    const { class: classText = '', href = '' } = element.attribs
    const names = classText.split(/\s+/).filter((name) => !otherNames.test(name))
    const field =
      fieldNames.find(([, pattern]) => names.some((name) => pattern.test(name)))?.[0] ??
      (href === '' ? undefined : fieldLinks.find(([, pattern]) => pattern.test(href))?.[0])
    if (field === undefined || textContent(element).trim() === '') continue
    const known = fields.get(field)
    if (known === undefined) fields.set(field, element)
    else if (!isWithin(element, known)) twice.add(field)
  }
  for (const field of twice) fields.delete(field)
  return fields
}

function isWithin(element: Element, outer: Element): boolean {
  for (let part: Element | null = element; part !== null; part = above(part)) if (part === outer) return true
  return false
}

function readCard(
  torrentId: string,
  { part, fields }: Card,
  links: readonly Element[],
  profile: SiteProfile,
): SearchHit[] {
  // The software's own links lead to the same page, and count who is there.
  const named = links.find(
    ({ attribs, children }) =>
      !countsLink.test(attribs['href'] ?? '') && (attribs['title'] || textContent(children).trim() !== ''),
  )
  if (named === undefined) return []
  const inside = descendants(part)
  const facts = new RowFacts()
  facts.torrentId = torrentId
  facts.title = named.attribs['title'] ?? ''
  facts.text = textContent(named.children.filter((child) => !isTag(child) || !isNews(child)))
  for (const column of ['size', 'seeders', 'leechers', 'snatched', 'time'] as const) {
    const field = fields.get(column)
    if (field !== undefined) facts.texts[column] = spacedText(field)
  }
  const subtitle = fields.get('subtitle')
  if (subtitle !== undefined) facts.subtitle = textContent(subtitle)
  const time = fields.get('time')
  const ofTime = time === undefined ? [] : [time, ...descendants(time)]
  facts.timeUnix = timeIn(ofTime, profile.utcOffsetMinutes)
  facts.endUnix = timeIn(
    inside.filter(
      (one) => one !== named && !ofTime.includes(one) && !isPin(one.attribs['class'], one.attribs['title']),
    ),
    profile.utcOffsetMinutes,
  )
  const picture = inside.find(
    ({ name, parent }) => name === 'img' && parent !== null && isTag(parent) && isCategory(parent),
  )
  facts.category = picture?.attribs['title'] || picture?.attribs['alt'] || ''
  facts.noteMark(
    { name: part.name, alt: undefined, class: part.attribs['class'], style: undefined, onmouseover: undefined },
    profile.utcOffsetMinutes,
  )
  noteElements(facts, inside, profile.utcOffsetMinutes)
  const hit = facts.toHit(profile.utcOffsetMinutes)
  return hit === undefined ? [] : [hit]
}

const isCategory = ({ name, attribs }: Element) => name === 'a' && /[?&]cat=?[0-9]/.test(attribs['href'] ?? '')

function sizeIn(field: Element | undefined): number | undefined {
  return field === undefined ? undefined : leadingSize(spacedText(field))
}

/** A number and at most a word before it. */
function countIn(field: Element | undefined): number | undefined {
  const found = field === undefined ? null : /^\D{0,16}([0-9][0-9,]{0,12})\D{0,16}$/.exec(spacedText(field).trim())
  return found?.[1] === undefined ? undefined : readCount(found[1])
}
