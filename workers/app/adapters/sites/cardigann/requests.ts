/** What a definition asks a site for. */
import type { HeaderLine, Inputs } from '../../../core/cardigann/definition.ts'
import type { FilterContext } from '../../../core/cardigann/filters.ts'
import type { SiteCall } from '../site-http.ts'

export interface Wish {
  readonly address: string
  readonly method: 'GET' | 'POST'
  readonly inputs: readonly (readonly [string, string])[]
  readonly separator?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** `$raw` holds whole pairs; an input without a value is left out unless the site wants to see it. */
export function filledInputs(
  inputs: readonly Inputs[],
  { variables, encodeUrl, decodeUrl }: FilterContext,
  keepsEmpty: boolean,
): [string, string][] {
  const pairs = new Map<string, string>()
  const several: [string, string][] = []
  for (const { name, value } of inputs) {
    if (name !== '$raw') {
      const text = value.render(variables)
      if (text !== '' || keepsEmpty) pairs.set(name, text)
      else pairs.delete(name)
      continue
    }
    for (const pair of value.render(variables, encodeUrl).split('&')) {
      if (pair === '') continue
      const at = pair.indexOf('=')
      several.push(at < 0 ? [decodeUrl(pair), ''] : [decodeUrl(pair.slice(0, at)), decodeUrl(pair.slice(at + 1))])
    }
  }
  return [...pairs, ...several]
}

export function filledHeaders(lines: readonly HeaderLine[], { variables }: FilterContext): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { name, value } of lines) {
    const text = value.render(variables).trim()
    // A line break would begin a header of its own.
    if (
      text !== '' &&
      /^[\x20-\x7e]*$/.test(text) &&
      !/^(?:host|cookie|content-length|connection|transfer-encoding)$/i.test(name)
    )
      headers[name.toLowerCase()] = text
  }
  return headers
}

export function callOf(wish: Wish, encode: (text: string) => string): SiteCall {
  const pairs = wish.inputs.map(
    ([name, value]) => `${encode(name).replaceAll('%5B', '[').replaceAll('%5D', ']')}=${encode(value)}`,
  )
  const query = pairs.join(wish.method === 'GET' ? (wish.separator ?? '&') : '&')
  if (wish.method === 'POST')
    return {
      path: wish.address,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...wish.headers },
      body: query,
      abroad: true,
    }
  const joint = wish.address.includes('?') ? (wish.separator ?? '&') : '?'
  return {
    path: query === '' ? wish.address : `${wish.address}${joint}${query}`,
    ...(wish.headers === undefined ? {} : { headers: wish.headers }),
    abroad: true,
  }
}

/** Undefined for what is no address of the web. */
export function absoluteAddress(address: string, base: string): string | undefined {
  if (/^magnet:/i.test(address)) return address
  if (!URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
}
