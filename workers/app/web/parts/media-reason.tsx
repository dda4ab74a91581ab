import { mediaReasonOf } from '../model/media-reasons.ts'
import { words } from '../words/words.ts'
import { DownloaderFaultWords } from './downloader-fault.tsx'

/** Why something was organised otherwise than it should, in the page's language where the reason is a known one. */
export function MediaReasonWords({ message }: { message: string }) {
  const known = mediaReasonOf(message)
  if (known === undefined) return <DownloaderFaultWords message={message} />
  return <>{words.value.mediaReasons[known]}</>
}
