/** Reads `name=value,name=value`, each value encoded as in an address. Undefined: not such a list. */
export function readTelemetryHeaders(text: string | undefined): Readonly<Record<string, string>> | undefined {
  const headers: Record<string, string> = {}
  for (const pair of (text ?? '').split(',').filter((part) => part.trim() !== '')) {
    const [, name, value] = /^\s*([\w!#$&'*+.^`|~-]+)\s*=\s*([!-~]*)\s*$/.exec(pair) ?? []
    if (name === undefined || value === undefined) return undefined
    try {
      headers[name.toLowerCase()] = decodeURIComponent(value)
    } catch {
      return undefined
    }
  }
  return headers
}
