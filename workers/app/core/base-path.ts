/**
 * The path below which browsers find the service where `url` leads, such as `/wharf`; nothing where it has the name to
 * itself. `basedAt`: the addresses with a path, such as `https://nas.example/wharf`, one an origin.
 */
export function basePathAt(url: string, basedAt: readonly string[]): string {
  if (basedAt.length === 0) return ''
  const { origin } = new URL(url)
  return basedAt.find((one) => one.startsWith(`${origin}/`))?.slice(origin.length) ?? ''
}
