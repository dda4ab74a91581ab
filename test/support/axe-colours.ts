/**
 * axe asks of every text by itself whether its colours can be told apart, and that is half of what it costs. Here it asks of
 * each kind of text once: what is of the same element and class, in the same colours, size and weight, on the same grounds.
 * Run in the page after axe, of which one exact version is installed; `colours-judged-once.test.ts` sees that it still holds.
 */
export const judgeColoursOnce = `(() => {
  const rule = axe._audit.rules.find(({ id }) => id === 'color-contrast')
  const check = axe._audit.checks['color-contrast']
  const { matches } = rule
  const { evaluate } = check
  const judged = new Set()
  const grounds = new Map()
  const fields = ['input', 'select', 'textarea']
  const isText = (part) => part.nodeType === Node.TEXT_NODE && part.data.trim() !== ''
  const classOf = (element) => element?.getAttribute('class') ?? ''

  /** What is painted behind it, from itself outwards, and through what all of it is seen. */
  const groundOf = (element) => {
    if (element === null) return ''
    const known = grounds.get(element)
    if (known !== undefined) return known
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element)
    const colour = backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : backgroundColor
    const image = backgroundImage === 'none' ? '' : backgroundImage
    const own = [colour, image, opacity === '1' ? '' : opacity, /^(absolute|fixed)$/.test(position) ? position : ''].join('')
    const ground = own + (own === '' ? '' : ';') + groundOf(element.parentElement)
    grounds.set(element, ground)
    return ground
  }
  const kindOf = (element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    const named = [element.localName, classOf(element), classOf(element.parentElement)]
    return [...named, color, fontSize, fontWeight, textShadow, groundOf(element)].join()
  }

  rule.matches = function (element, ...more) {
    const hasText = fields.includes(element.localName) || [...element.childNodes].some(isText)
    return hasText && !judged.has(kindOf(element)) && matches.call(this, element, ...more)
  }
  check.evaluate = function (element, ...more) {
    const kind = kindOf(element)
    if (judged.has(kind)) return true
    const tell = this.data
    let ratio
    this.data = (found) => {
      ratio = found?.contrastRatio
      tell.call(this, found)
    }
    const isEnough = evaluate.call(this, element, ...more)
    // What cannot be seen, or not for certain, is asked of the next one again.
    if (isEnough === true && ratio !== undefined) judged.add(kind)
    return isEnough
  }
  globalThis.axeOnce = async (kinds, options) => {
    grounds.clear()
    for (const kind of kinds) judged.add(kind)
    const before = judged.size
    const { violations } = await axe.run(document, options)
    return { violations, kinds: [...judged].slice(before) }
  }
})()`
