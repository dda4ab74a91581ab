/** What was typed to be added: magnet links, addresses and info hashes, one a line. */
import type { addTorrent } from '../../contract/torrents.ts'

export type AddBody = (typeof addTorrent)['body']['_input']
export type AddAnswer = (typeof addTorrent)['answers'][200]['_output']

export interface TypedSource {
  /** As it is told apart from the others, and shown until its title is known. */
  readonly name: string
  readonly body: Pick<AddBody, 'magnet' | 'address' | 'file'>
}

/** More at once is a mistake more often than a wish. */
export const sourcesMax = 50

export function typedSources(text: string): {
  readonly sources: readonly TypedSource[]
  readonly wrong: readonly string[]
} {
  const lines = [...new Set(text.split(/\s+/).filter((line) => line !== ''))]
  const sources: TypedSource[] = []
  const wrong: string[] = []
  for (const line of lines) {
    if (/^magnet:\?/i.test(line)) sources.push({ name: magnetName(line), body: { magnet: line } })
    else if (/^https?:\/\/./i.test(line)) sources.push({ name: line, body: { address: line } })
    else if (/^(?:[0-9a-f]{40}|[a-z2-7]{32})$/i.test(line))
      sources.push({ name: line, body: { magnet: `magnet:?xt=urn:btih:${line}` } })
    else wrong.push(line)
  }
  return { sources, wrong }
}

function magnetName(link: string): string {
  const parameters = new URLSearchParams(link.slice(link.indexOf('?')))
  return parameters.get('dn') || parameters.get('xt')?.replace(/^urn:bt[im]h:(?:1220)?/i, '') || link
}

/** In pieces: the bytes of a whole file are more than a call may have as arguments. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
