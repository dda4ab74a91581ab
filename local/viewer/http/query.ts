import type { Context } from 'hono'
import type { Parameters } from '../core/parameters.ts'

/** Query parameters with every repetition kept. */
export function parametersOf(c: Context): Parameters {
  const found: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  for (const [name, value] of new URL(c.req.url).searchParams) {
    const list = found[name]
    if (list === undefined) found[name] = [value]
    else list.push(value)
  }
  return found
}

/** What follows a prefix of the path, decoded; ids and file names hold slashes and colons. */
export function pathSuffix(c: Context, prefix: string): string {
  const { pathname } = new URL(c.req.url)
  const raw = pathname.slice(prefix.length)
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}
