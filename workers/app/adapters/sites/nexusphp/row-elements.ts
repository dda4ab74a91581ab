/** What the elements of a torrent's row say by themselves, wherever in it they stand. */
import type { Element } from 'domhandler'
import { textContent } from 'domutils'
import { readTime } from '../../../core/site-numbers.ts'
import type { RowFacts, RowMark } from './torrent-row.ts'

export function noteElements(facts: RowFacts, inside: readonly Element[], utcOffsetMinutes: number): void {
  for (const element of inside) {
    const { href, alt, title } = element.attribs
    if (href !== undefined) facts.noteHref(href)
    if (element.name === 'img') facts.notePicture(alt, title)
    if (facts.noteMark(markOf(element), utcOffsetMinutes)) facts.noteTag(textContent(element))
  }
}

/** A time is written in a title where the text only says how long ago it was, or how long it is until then. */
export function timeIn(elements: readonly Element[], utcOffsetMinutes: number): number | undefined {
  for (const { attribs } of elements) {
    const time = attribs['title'] === undefined ? undefined : readTime(attribs['title'], utcOffsetMinutes)
    if (time !== undefined) return time
  }
  return undefined
}

export function markOf({ name, attribs }: Element): RowMark {
  return {
    name,
    alt: attribs['alt'],
    class: attribs['class'],
    style: attribs['style'],
    onmouseover: attribs['onmouseover'],
  }
}
