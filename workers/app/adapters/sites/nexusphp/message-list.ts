/** The inbox of an account, as the software lists it: a mark for what is unread, a link with the subject, sender and time. */
import { selectAll, selectOne } from 'css-select'
import { type AnyNode, type Document, type Element, isTag } from 'domhandler'
import { textContent } from 'domutils'
import type { SiteMessage } from '../../../core/site.ts'
import { plainText, readTime } from '../../../core/site-numbers.ts'
import { siteMessagesMax, siteTextCharactersMax } from '../../../limits.ts'

/** Undefined for a page that is no mailbox. */
export function readUnread(page: Document, utcOffsetMinutes: number): SiteMessage[] | undefined {
  if (selectOne<AnyNode, Element>('a[href*="action=viewmailbox"]', page) === null) return undefined
  return selectAll<AnyNode, Element>('img.unreadpm, img[alt="Unread"]', page)
    .flatMap((mark) => {
      const row = closestRow(mark)
      const cells = row?.children.filter(isTag).filter(({ name }) => name === 'td') ?? []
      const at = cells.findIndex((cell) => subjectIn(cell) !== null)
      const cell = cells[at]
      const link = cell === undefined ? null : subjectIn(cell)
      if (link === null) return []
      const [sender, time] = [cells[at + 1], cells[at + 2]]
      const name = sender === undefined ? '' : plainText(textContent(sender), siteTextCharactersMax)
      const atUnix = time === undefined ? undefined : readTime(timeIn(time), utcOffsetMinutes)
      return [
        {
          subject: plainText(textContent(link), siteTextCharactersMax),
          ...(name === '' ? {} : { sender: name }),
          ...(atUnix === undefined ? {} : { atUnix }),
        },
      ]
    })
    .slice(0, siteMessagesMax)
}

function subjectIn(cell: Element): Element | null {
  return selectOne<AnyNode, Element>('a[href*="action=viewmessage"]', cell)
}

function closestRow(mark: Element): Element | undefined {
  for (let node = mark.parent; node !== null; node = node.parent) {
    if (isTag(node) && node.name === 'tr') return node
  }
  return undefined
}

/** Members see how long ago it was, or when; the other one is in the tooltip. */
function timeIn(cell: Element): string {
  const tooltip = selectOne<AnyNode, Element>('[title]', cell)?.attribs['title'] ?? ''
  return `${tooltip} ${textContent(cell)}`
}
