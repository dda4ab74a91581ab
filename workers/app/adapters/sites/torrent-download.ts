import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SiteFault } from '../../core/site-fault.ts'
import { refusalBytesMax, torrentFileBytesMax } from '../../limits.ts'
import { type SiteCall, type SiteHttp, saidInstead } from './site-http.ts'

const dictionaryStart = 0x64

/** Fetches a torrent file. What does not begin as one is a sign-in form or another page, and never handed on. */
export async function downloadTorrent(
  http: SiteHttp,
  call: SiteCall,
  signal: AbortSignal,
): Promise<Result<Uint8Array, SiteFault>> {
  const answer = await http.call({ ...call, bytesMax: torrentFileBytesMax }, signal)
  if (!answer.ok) return answer
  const { bytes, url } = answer.value
  if (bytes[0] === dictionaryStart) return succeed(bytes)
  const start = new TextDecoder().decode(bytes.subarray(0, refusalBytesMax))
  return failWith(saidInstead('torrent', { url, text: start }))
}
