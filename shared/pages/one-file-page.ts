/** A page that is one file to send to somebody: it loads nothing, runs nothing and asks nobody. */
export interface OneFilePage {
  readonly language: string
  readonly title: string
  readonly styles: string
  /** Class of the body, for styles that are shared with other pages. */
  readonly look?: string
  /** Markup; what comes from elsewhere is escaped in it. */
  readonly body: string
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** Text as it may stand in markup, inside of quotes too. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** No address of a style leads outside: the file is all there is. */
function ownStyles(styles: string): string {
  return styles.replace(/url\([^)]*\)/g, 'none').replaceAll('<', '\\3c ')
}

export function oneFilePage({ language, title, styles, look, body }: OneFilePage): string {
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
<body${look === undefined ? '' : ` class="${escaped(look)}"`}>
${body}
</body>
</html>
`
}
