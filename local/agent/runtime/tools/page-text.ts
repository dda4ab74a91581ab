/** The readable text of a page: no scripts, no styles, a line for each block. Never executed, never trusted. */
import type { Handler } from 'htmlparser2'

export type PageFormat = 'text' | 'markdown'

const dropped = new Set('script style noscript svg template iframe head'.split(' '))
const blocks = new Set(
  'p div br li ul ol tr table h1 h2 h3 h4 h5 h6 section article header footer main nav pre blockquote hr dt dd'.split(
    ' ',
  ),
)
const marks: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*', code: '`' }

export async function pageText(html: string, format: PageFormat): Promise<string> {
  const { Parser } = await import('htmlparser2')
  const out: string[] = []
  /** How many elements that are left out, or that are shown as they are, are open. */
  let hidden = 0
  let verbatim = 0
  const links: string[] = []
  const isMarkdown = format === 'markdown'
  const handler: Partial<Handler> = {
    onopentag(name, attributes) {
      if (dropped.has(name)) hidden += 1
      if (hidden > 0) return
      if (name === 'pre') verbatim += 1
      if (blocks.has(name)) out.push(name === 'li' ? '\n- ' : '\n')
      if (!isMarkdown) return
      const level = /^h([1-6])$/.exec(name)?.[1]
      if (level !== undefined) out.push('\n', '#'.repeat(Number(level)), ' ')
      else if (name === 'pre') out.push('```\n')
      else if (name === 'blockquote') out.push('> ')
      else if (name === 'a') {
        links.push(attributes['href'] ?? '')
        out.push('[')
      } else if (verbatim === 0) out.push(marks[name] ?? '')
    },
    ontext(text) {
      if (hidden === 0) out.push(verbatim > 0 ? text.replaceAll(' ', solidBlank) : text.replace(/\s+/g, ' '))
    },
    onclosetag(name) {
      if (dropped.has(name)) hidden = Math.max(0, hidden - 1)
      if (hidden > 0) return
      if (name === 'pre') {
        verbatim = Math.max(0, verbatim - 1)
        if (isMarkdown) out.push('\n```')
      } else if (isMarkdown && name === 'a') out.push(`](${links.pop() ?? ''})`)
      else if (isMarkdown && verbatim === 0) out.push(marks[name] ?? '')
      if (blocks.has(name)) out.push('\n')
    },
  }
  const parser = new Parser(handler)
  parser.write(html)
  parser.end()
  return out
    .join('')
    .replace(/[ \t\r\f\v\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replaceAll(solidBlank, ' ')
    .trim()
}

/** Stands for a blank that counts while the others are being tidied up. */
const solidBlank = '\ue000'
