/** Addresses of the internet protocol as numbers, so that two spellings of one address are one. */

/** Eight groups of 16 bits. An IPv4 address is its mapped form, `::ffff:a.b.c.d`. */
export type IpAddress = readonly number[]

export interface Network {
  readonly address: IpAddress
  /** Leading bits that count, of 128. */
  readonly bits: number
}

const groupsOfAddress = 8
const groupBits = 16
const mappedBits = 96
/** The longest spelling of an address with a network's length: `ffff:…:255.255.255.255/128`. */
export const networkCharactersMax = 49

export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > networkCharactersMax) return undefined
  if (!text.includes(':')) {
    const low = parseIpv4(text)
    return low === undefined ? undefined : [0, 0, 0, 0, 0, 0xffff, ...low]
  }
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map((half) => parseGroups(half))
  if (head === undefined) return undefined
  if (halves.length === 1) return head.length === groupsOfAddress ? head : undefined
  if (tail === undefined || head.length + tail.length >= groupsOfAddress) return undefined
  // An IPv4 ending belongs at the end of the whole address.
  if (halves[0]?.includes('.')) return undefined
  return [...head, ...Array<number>(groupsOfAddress - head.length - tail.length).fill(0), ...tail]
}

/** `10.0.0.0/8`, `fd00::/8`, or one address. Not a network of everybody: trusting all of them is trusting nobody's word. */
export function parseNetwork(text: string): Network | undefined {
  if (text.length > networkCharactersMax) return undefined
  const [name = '', length, ...more] = text.split('/')
  const address = parseIpAddress(name)
  if (address === undefined || more.length > 0) return undefined
  if (length === undefined) return { address, bits: groupsOfAddress * groupBits }
  if (!/^[1-9][0-9]{0,2}$/.test(length)) return undefined
  const bits = Number(length) + (name.includes(':') ? 0 : mappedBits)
  return bits > groupsOfAddress * groupBits ? undefined : { address, bits }
}

export function isWithin(address: IpAddress, network: Network): boolean {
  const wanted = leading(network.address, network.bits)
  return leading(address, network.bits).every((group, at) => group === wanted[at])
}

export function isIpv4(address: IpAddress): boolean {
  return isWithin(address, { address: [0, 0, 0, 0, 0, 0xffff, 0, 0], bits: mappedBits })
}

/** One spelling for each address. */
export function textOfAddress(address: IpAddress): string {
  if (!isIpv4(address)) return address.map((group) => group.toString(16)).join(':')
  return address
    .slice(-2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

/** The network of so many leading bits that an IPv6 address is in: `2001:db8:0:1::/64`. */
export function textOfNetwork(address: IpAddress, bits: number): string {
  const groups = leading(address, bits).slice(0, Math.ceil(bits / groupBits))
  return `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`
}

function leading(address: IpAddress, bits: number): number[] {
  return address.map((group, at) => {
    const counted = Math.min(Math.max(bits - at * groupBits, 0), groupBits)
    return group & (0xffff << (groupBits - counted)) & 0xffff
  })
}

function parseGroups(text: string): number[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  const groups: number[] = []
  for (const [at, part] of parts.entries()) {
    if (at === parts.length - 1 && part.includes('.')) {
      const low = parseIpv4(part)
      if (low === undefined) return undefined
      groups.push(...low)
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16))
    else return undefined
  }
  return groups
}

/** Two groups. Four decimal numbers without leading zeros, which some read as octal. */
function parseIpv4(text: string): [number, number] | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255))
    return undefined
  const [first = 0, second = 0, third = 0, fourth = 0] = parts.map(Number)
  return [first * 256 + second, third * 256 + fourth]
}
