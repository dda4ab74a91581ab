import { downloaderFaultsOf } from '../model/downloader-faults.ts'
import { words } from '../words/words.ts'

/** Why a downloader failed, in the page's language where the reason is a known one; without a mark at its end. */
export function DownloaderFaultWords({ message }: { message: string }) {
  const known = downloaderFaultsOf(message)
  if (known === undefined) return <span lang="zh-CN">{message}</span>
  return (
    <>
      {known
        .map(({ name, detail, downloader }) => {
          const reason = words.value.downloaderFaults[name](detail)
          return downloader === undefined ? reason : `${downloader}: ${reason}`
        })
        .join('; ')}
    </>
  )
}
