import { pushReasonOf } from '../model/push-reasons.ts'
import { words } from '../words/words.ts'
import { SiteFaultWords } from './site-parts.tsx'

/** Why a push did not come to its end, in the page's language where the reason is a known one. */
export function PushReasonWords({ message }: { message: string }) {
  const known = pushReasonOf(message)
  if (known === undefined) return <SiteFaultWords message={message} />
  return <>{words.value.pushReasons[known.name](known.amounts)}</>
}
