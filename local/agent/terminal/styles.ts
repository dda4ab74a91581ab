/** How the terminal client looks: the terminal's own colours, and none where the owner wants none (`NO_COLOR`). */
import type { EditorTheme, MarkdownTheme, SelectListTheme } from '@earendil-works/pi-tui'

type Paint = (text: string) => string

export interface Styles {
  readonly dim: Paint
  readonly bold: Paint
  readonly accent: Paint
  readonly good: Paint
  readonly bad: Paint
  readonly warning: Paint
  readonly list: SelectListTheme
  readonly editor: EditorTheme
  readonly markdown: MarkdownTheme
}

export function stylesFor(environment: Readonly<Record<string, string | undefined>>): Styles {
  const isPlain = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb'
  const paint = (on: number, off: number): Paint =>
    isPlain ? (text) => text : (text) => `\u001b[${on}m${text}\u001b[${off}m`
  const plain: Paint = (text) => text
  const [bold, dim, italic, under, strike] = [paint(1, 22), paint(2, 22), paint(3, 23), paint(4, 24), paint(9, 29)]
  const [bad, good, warning, accent] = [paint(31, 39), paint(32, 39), paint(33, 39), paint(36, 39)]
  const list: SelectListTheme = {
    selectedPrefix: accent,
    selectedText: bold,
    description: dim,
    scrollInfo: dim,
    noMatch: dim,
  }
  return {
    dim,
    bold,
    accent,
    good,
    bad,
    warning,
    list,
    editor: { borderColor: dim, selectList: list },
    markdown: {
      heading: bold,
      link: under,
      linkUrl: dim,
      code: accent,
      codeBlock: plain,
      codeBlockBorder: dim,
      quote: dim,
      quoteBorder: dim,
      hr: dim,
      listBullet: dim,
      bold,
      italic,
      strikethrough: strike,
      underline: under,
    },
  }
}
