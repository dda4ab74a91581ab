/** Where a chat platform sends what is written to a bot. */

/** With the number of the channel. */
export const chatHookPrefix = '/api/chat'
/** The platform puts the secret that it was told into this header. */
export const chatHookHeader = 'x-telegram-bot-api-secret-token'

export function chatHookAddress(publicUrl: string, channelId: number): string {
  return `${publicUrl}${chatHookPrefix}/${channelId}`
}
