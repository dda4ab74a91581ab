const namePattern = /^[A-Za-z0-9_-]{1,64}$/
const nameCharactersMax = 64
const markCharacters = 9

/** Fits a name into the provider's alphabet and length. What does not fit keeps a mark of the whole name. */
export function providerName(name: string): string {
  return namePattern.test(name) ? name : markedName(name, name)
}

/** A name that tells two sources apart whose names would otherwise be the same. */
export function markedName(name: string, source: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, nameCharactersMax - markCharacters)
  return `${plain}_${mark(source)}`
}

/** Eight hexadecimal digits of a text (FNV-1a over its code units). */
function mark(text: string): string {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ (text.charCodeAt(index) & 0xff), 0x01000193)
    value = Math.imul(value ^ (text.charCodeAt(index) >>> 8), 0x01000193)
  }
  return (value >>> 0).toString(16).padStart(8, '0')
}
