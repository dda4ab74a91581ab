import { channelFaultsOf } from '../model/channel-faults.ts'
import { words } from '../words/words.ts'

/** Why a channel did not take a message, in the page's language where the reason is a known one. */
export function ChannelFaultWords({ message }: { message: string }) {
  const known = channelFaultsOf(message)
  if (known === undefined) return <span lang="zh-CN">{message}</span>
  return (
    <>
      {known
        .map(({ name, detail, channel }) => {
          const reason = words.value.channelFaults[name](detail)
          return channel === undefined ? reason : `${channel}: ${reason}`
        })
        .join('; ')}
    </>
  )
}
