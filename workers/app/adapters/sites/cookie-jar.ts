import { cookieJarCookiesMax, siteCredentialCharactersMax } from '../../limits.ts'

/** The cookies of one site's host, in memory only. */
export class CookieJar {
  readonly #cookies = new Map<string, string>()

  constructor(header = '') {
    this.add(header)
  }

  /** `name=value; other=value`, as it stands in a request. */
  add(header: string): void {
    for (const part of header.split(';')) this.#put(part)
  }

  /** What an answer sets and takes back. */
  note(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';')
      const isOver = attributes.some((one) => /^\s*max-age\s*=\s*(?:0|-\d+)\s*$/i.test(one))
      if (isOver || /^[^=]+=\s*(?:deleted)?\s*$/i.test(pair)) this.#cookies.delete(nameOf(pair))
      else this.#put(pair)
    }
  }

  header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #put(pair: string): void {
    const name = nameOf(pair)
    const value = pair.slice(pair.indexOf('=') + 1).trim()
    if (name === '' || !pair.includes('=') || /[^\x20-\x7e]/.test(pair)) return
    if (pair.length > siteCredentialCharactersMax) return
    if (!this.#cookies.has(name) && this.#cookies.size >= cookieJarCookiesMax) return
    this.#cookies.set(name, value)
  }
}

function nameOf(pair: string): string {
  return (pair.split('=')[0] ?? '').trim()
}
