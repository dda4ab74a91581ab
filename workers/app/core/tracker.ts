/** Of what a tracker or a downloader said about a torrent, this much is shown. */
export const trackerWordsCharactersMax = 200

/** What programs announce to: by http, https, udp or websocket. */
export function isTrackerAddress(address: string): boolean {
  if (!/^(https?|udp|wss?):\/\//i.test(address) || /\s/.test(address) || !URL.canParse(address)) return false
  return new URL(address).hostname !== ''
}
