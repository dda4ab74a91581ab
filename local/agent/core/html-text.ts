/** The readable text of a page: no scripts, no styles, a line for each block. Never executed, never trusted. */
const dropped = ['script', 'style', 'noscript', 'svg', 'template', 'iframe', 'head']
const blocks = new Set(
  'p div br li ul ol tr table h1 h2 h3 h4 h5 h6 section article header footer main nav pre blockquote hr dt dd'.split(
    ' ',
  ),
)
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

export function htmlToText(html: string): string {
  const out: string[] = []
  let position = 0
  while (position < html.length) {
    const open = html.indexOf('<', position)
    if (open < 0) {
      out.push(html.slice(position))
      break
    }
    out.push(html.slice(position, open))
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4)
      position = end < 0 ? html.length : end + 3
      continue
    }
    const close = html.indexOf('>', open)
    if (close < 0) break
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(html.slice(open, Math.min(close, open + 40)))?.[1]?.toLowerCase() ?? ''
    position = close + 1
    if (blocks.has(name)) out.push(name === 'li' ? '\n- ' : '\n')
    if (dropped.includes(name) && html[open + 1] !== '/') {
      const end = html.toLowerCase().indexOf(`</${name}`, position)
      if (end < 0) break
      const after = html.indexOf('>', end)
      position = after < 0 ? html.length : after + 1
    }
  }
  return decodeEntities(out.join(''))
    .replace(/[ \t\r\f\v]+/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return entities[name.toLowerCase()] ?? whole
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
