/** RFC 2812, 2.3: 512 bytes a line; tags of IRCv3 may have 8191 more. */
export const ircLineBytesMax = 512 + 8191
/** From the first packet to being in the channels. */
export const ircJoinMs = 30_000
/** How long NickServ may take until the channels are joined without its word. */
export const nickServMs = 5_000
/** How long an announcer may take to let us in, until we try the door ourselves. */
export const ircEnterMs = 10_000
/** Silence after which we ask whether anybody is there, and after which nobody is. */
export const ircQuietMs = 120_000
export const ircDeadMs = 240_000
/** A server that cannot be reached is tried again after this long, and twice as long each time, up to the second. */
export const ircRetryMs = 5_000
export const ircRetryMsMax = 600_000
/** Lines of one channel that wait for those before them; what comes beyond is left to the site's feed or list. */
export const announceQueueMax = 100
/** Channels of one server under one name. */
export const ircChannelsMax = 20
