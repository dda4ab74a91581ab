/** The file that a session is shared as. It loads nothing, runs nothing and asks nobody. Pure. */
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

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** No address of a style leads outside: the file is all there is. */
function ownStyles(styles: string): string {
  return styles.replace(/url\([^)]*\)/g, 'none').replaceAll('<', '\\3c ')
}

export function sharedPage({ title, note, language, styles, icons, body }: SharedPage): string {
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${ownStyles(styles)}</style>
</head>
<body class="shared">
<svg xmlns="http://www.w3.org/2000/svg" class="sprite" width="0" height="0" aria-hidden="true">${icons}</svg>
<main class="log"><h1>${escaped(title)}</h1><p class="faint small">${escaped(note)}</p>${body}</main>
</body>
</html>
`
}
