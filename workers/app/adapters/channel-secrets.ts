import type { Result } from '#shared/kernel/result.ts'
import { succeed } from '#shared/kernel/result.ts'
import type { ChannelSettings } from '../core/channel.ts'
import type { SecretBox } from '../ports/secrets.ts'

/** Binds sealed settings to their row, so that they open nowhere else. */
function settingsContext(channelId: number): string {
  return `channel:${channelId}:settings`
}

export function sealChannel(secrets: SecretBox, id: number, settings: ChannelSettings): Promise<string> {
  return secrets.seal(JSON.stringify(settings), settingsContext(id))
}

export async function openChannel(
  secrets: SecretBox,
  id: number,
  sealed: string,
): Promise<Result<ChannelSettings, 'missing' | 'changed'>> {
  const opened = await secrets.open(sealed, settingsContext(id))
  return opened.ok ? succeed(JSON.parse(opened.value) as ChannelSettings) : opened
}
