/** Reads a magnet link: BEP 9 for `xt=urn:btih`, BEP 52 for `xt=urn:btmh`, `dn` and `xl` as clients write them. */
import { type InfoHashes, shownHashDigits } from './downloader.ts'
import { cutTo } from './redact.ts'

export interface Magnet {
  readonly infoHashes: InfoHashes
  /** Empty where it names none. */
  readonly title: string
  readonly sizeBytes?: number
}

const titleCharactersMax = 300

export function readMagnet(text: string): Magnet | undefined {
  if (!/^magnet:\?/i.test(text) || /[\p{Cc}\s]/u.test(text)) return undefined
  const parameters = new URLSearchParams(text.slice(text.indexOf('?') + 1))
  const v1: string[] = []
  const v2: string[] = []
  for (const [name, value] of parameters) {
    // Several are numbered: `xt.1`.
    if (!/^xt(?:\.\d{1,3})?$/i.test(name)) continue
    const hash = v1HashOf(value)
    if (hash !== undefined) v1.push(hash)
    const other = /^urn:btmh:1220([0-9a-f]{64})$/i.exec(value)?.[1]
    if (other !== undefined) v2.push(other.slice(0, shownHashDigits).toLowerCase())
  }
  const [first, ...others] = [...new Set([...v1, ...v2])]
  // More than one of a kind would be several torrents.
  if (first === undefined || new Set(v1).size > 1 || new Set(v2).size > 1) return undefined
  const length = /^\d{1,15}$/.exec(parameters.get('xl') ?? '')?.[0]
  return {
    infoHashes: [first, ...others],
    title: cutTo((parameters.get('dn') ?? '').replace(/\p{Cc}/gu, '').trim(), titleCharactersMax),
    ...(length === undefined || Number(length) === 0 ? {} : { sizeBytes: Number(length) }),
  }
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

function v1HashOf(value: string): string | undefined {
  const hash = /^urn:btih:([0-9a-z]+)$/i.exec(value)?.[1]?.toLowerCase()
  if (hash === undefined) return undefined
  if (/^[0-9a-f]{40}$/.test(hash)) return hash
  if (!/^[a-z2-7]{32}$/.test(hash)) return undefined
  let bits = 0n
  for (const letter of hash) bits = bits * 32n + BigInt(base32.indexOf(letter))
  return bits.toString(16).padStart(40, '0')
}
