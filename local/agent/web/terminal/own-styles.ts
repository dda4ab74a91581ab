/**
 * The terminal writes its styles into elements of its own, which the page's policy forbids: only style sheets of ours
 * count. Handed this in place of the document, it gets an element that hands what is written into it to such a sheet.
 */
export function styleThroughSheets(real: Document): {
  readonly documentOverride: Document
  readonly release: () => void
} {
  const sheets: CSSStyleSheet[] = []

  function createStyle(): HTMLElement {
    const sheet = new CSSStyleSheet()
    sheets.push(sheet)
    real.adoptedStyleSheets = [...real.adoptedStyleSheets, sheet]
    const element = real.createElement('span')
    element.hidden = true
    Object.defineProperty(element, 'textContent', { set: (text: string) => void sheet.replaceSync(text) })
    return element
  }

  const documentOverride = new Proxy(real, {
    get(target, name) {
      if (name === 'createElement')
        return (tag: string) => (tag.toLowerCase() === 'style' ? createStyle() : target.createElement(tag))
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    documentOverride,
    release() {
      real.adoptedStyleSheets = real.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet))
    },
  }
}
