/** Why a stranger's address is not fetched. */
export type AddressRefusal = 'scheme' | 'credentials' | 'port' | 'private_host'

const localSuffixes = ['.localhost', '.local', '.internal', '.lan', '.home.arpa', '.intranet', '.corp', '.home']
const ports = ['', '80', '443']

/** Judges an address a stranger chose. The URL parser has already turned every disguise of IPv4 into four numbers. */
export function refuseAddress(url: URL): AddressRefusal | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme'
  if (url.username !== '' || url.password !== '') return 'credentials'
  if (!ports.includes(url.port)) return 'port'
  return isPrivateHost(url.hostname) ? 'private_host' : undefined
}

export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  if (host.startsWith('[')) return isPrivateAddress(host.slice(1, -1))
  if (/^\d+(\.\d+){3}$/.test(host)) return isPrivateAddress(host)
  // A name without a dot is one of the local network.
  return !host.includes('.') || localSuffixes.some((suffix) => host.endsWith(suffix))
}

/** Judges an IP address in text form. What cannot be read counts as private. */
export function isPrivateAddress(address: string): boolean {
  const four = readIpv4(address)
  if (four !== undefined) return isPrivateIpv4(four)
  const groups = readIpv6(address.split('%')[0] ?? '')
  return groups === undefined || isPrivateIpv6(groups)
}

function readIpv4(text: string): readonly number[] | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return undefined
  const numbers = parts.map(Number)
  return numbers.every((number) => number <= 255) ? numbers : undefined
}

function isPrivateIpv4([first = 0, second = 0, third = 0]: readonly number[]): boolean {
  return (
    first === 0 ||
    first === 10 ||
    first === 127 ||
    (first === 100 && second >= 64 && second <= 127) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168) ||
    (first === 192 && second === 0 && (third === 0 || third === 2)) ||
    (first === 192 && second === 88 && third === 99) ||
    (first === 198 && (second === 18 || second === 19)) ||
    (first === 198 && second === 51 && third === 100) ||
    (first === 203 && second === 0 && third === 113) ||
    first >= 224
  )
}

/** Eight groups of sixteen bits; undefined for text that is not an IPv6 address. */
function readIpv6(text: string): readonly number[] | undefined {
  const lastColon = text.lastIndexOf(':')
  const four = text.includes('.') ? readIpv4(text.slice(lastColon + 1)) : undefined
  if (text.includes('.') && four === undefined) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = four ?? []
  const plain =
    four === undefined
      ? text
      : `${text.slice(0, lastColon + 1)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  const halves = plain.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map(readGroups)
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined
  const known = head.length + (tail?.length ?? 0)
  if (halves.length === 1 ? known !== 8 : known > 7) return undefined
  return [...head, ...Array.from({ length: 8 - known }, () => 0), ...(tail ?? [])]
}

function readGroups(text: string): readonly number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined
}

function isPrivateIpv6(groups: readonly number[]): boolean {
  const [first = 0, second = 0] = groups
  const embedded = [(groups[6] ?? 0) >> 8, (groups[6] ?? 0) & 255, (groups[7] ?? 0) >> 8, (groups[7] ?? 0) & 255]
  const startsWithZeros = (count: number) => groups.slice(0, count).every((group) => group === 0)
  // Mapped, compatible and translated addresses are judged by the IPv4 address inside them.
  if (startsWithZeros(5) && (groups[5] === 0xffff || groups[5] === 0)) return isPrivateIpv4(embedded)
  if (startsWithZeros(4) && groups[4] === 0xffff) return isPrivateIpv4(embedded)
  if (first === 0x64 && second === 0xff9b) return true
  if (first === 0x2002) return isPrivateIpv4([second >> 8, second & 255, (groups[2] ?? 0) >> 8, (groups[2] ?? 0) & 255])
  // Only global unicast is public, less documentation, benchmarking and tunnelling ranges.
  if ((first & 0xe000) !== 0x2000) return true
  return first === 0x2001 && (second < 0x200 || second === 0xdb8)
}
