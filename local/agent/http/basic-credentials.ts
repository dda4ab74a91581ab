export interface BasicCredentials {
  readonly username: string
  readonly password: string
}

/** The credentials of an `Authorization: Basic …` header, or undefined for any other header or none. */
export function basicCredentials(header: string | undefined): BasicCredentials | undefined {
  if (header === undefined) return undefined
  const encoded = /^basic +([a-z0-9+/]+={0,2}) *$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  let bytes: Uint8Array
  try {
    bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) }
}
