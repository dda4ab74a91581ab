/**
 * The terminal writes its styles into elements of its own, which the page's policy forbids: only style sheets of ours
 * count. While it is being opened, which is when it makes them, it gets elements that hand what is written into them to
 * such sheets. Returns what takes those away again.
 */
export function withOwnStyles(open: () => void): () => void {
  const sheets: CSSStyleSheet[] = []
  const create = document.createElement.bind(document)

  function createStyle(): HTMLElement {
    const sheet = new CSSStyleSheet()
    sheets.push(sheet)
    const element = create('span')
    element.hidden = true
    Object.defineProperty(element, 'textContent', { set: (text: string) => void sheet.replaceSync(text) })
    return element
  }

  // Its own way to name another document is not followed everywhere, so the real one is shadowed for that moment.
  Object.defineProperty(document, 'createElement', {
    configurable: true,
    value: (tag: string, options?: ElementCreationOptions) => (tag === 'style' ? createStyle() : create(tag, options)),
  })
  try {
    open()
  } finally {
    Reflect.deleteProperty(document, 'createElement')
  }
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...sheets]
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet))
  }
}
