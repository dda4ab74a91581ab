/** The file that a session is shared as. Pure. */
import { escaped, oneFilePage } from '#shared/pages/one-file-page.ts'

export interface SharedPage {
  readonly title: string
  readonly note: string
  readonly language: string
  readonly styles: string
  /** Symbols of the sprite. */
  readonly icons: string
  /** Markup that the page itself drew. */
  readonly body: string
}

export function sharedPage({ title, note, language, styles, icons, body }: SharedPage): string {
  return oneFilePage({
    language,
    title,
    styles,
    look: 'shared',
    body: `<svg xmlns="http://www.w3.org/2000/svg" class="sprite" width="0" height="0" aria-hidden="true">${icons}</svg>
<main class="log"><h1>${escaped(title)}</h1><p class="faint small">${escaped(note)}</p>${body}</main>`,
  })
}
