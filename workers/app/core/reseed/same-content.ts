/** One name for all torrents of the same content, by pairs that are known to be of the same. */
export function contentOf(pairs: Iterable<readonly [string, string]>): (infoHash: string) => string {
  const towards = new Map<string, string>()
  function nameOf(infoHash: string): string {
    let name = infoHash
    for (let next = towards.get(name); next !== undefined; next = towards.get(name)) name = next
    return name
  }
  for (const [one, other] of pairs) {
    const [from, to] = [nameOf(other), nameOf(one)]
    if (from !== to) towards.set(from, to)
  }
  return nameOf
}
