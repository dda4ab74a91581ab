import { toHex } from '../../core/bytes.ts'
import { type InfoHashes, shownHashDigits } from '../../core/downloader.ts'
import type { TorrentFile } from '../../core/torrent-file.ts'

/** The torrent's own hash first. A hybrid has two, and downloaders differ in which one they show. */
export async function infoHashesOf({ info, hasV1, hasV2 }: TorrentFile): Promise<InfoHashes> {
  const digest = async (algorithm: string) =>
    toHex(new Uint8Array(await crypto.subtle.digest(algorithm, new Uint8Array(info)))).slice(0, shownHashDigits)
  if (!hasV2) return [await digest('SHA-1')]
  const v2 = await digest('SHA-256')
  return hasV1 ? [await digest('SHA-1'), v2] : [v2]
}
