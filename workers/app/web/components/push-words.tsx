import { words } from '../locales/words.ts'
import type { PushResult } from '../model/push.ts'
import { FailureWords } from './note.tsx'
import { ReasonWords } from './reason.tsx'

/** What became of one push, where it is named beside it. */
export function PushWords({ of: { outcome, downloader, reason, failure } }: { of: PushResult }) {
  const text = words.value.search
  if (outcome === 'pushed') return <>{text.isPushed(downloader)}</>
  if (outcome === 'skipped') return <>{text.isSkipped(downloader)}</>
  if (failure === undefined)
    return (
      <>
        {text.isStopped} <ReasonWords reason={reason} />
      </>
    )
  if (failure.code !== 'download_failed') return <FailureWords failure={failure} />
  return (
    <>
      {text.downloadFailed} <ReasonWords reason={failure.reason} todo />
    </>
  )
}
