import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the stand-in sites listen. */
    standInSites: string
    /** When the free period of the stand-in's free torrent ends, in Unix seconds. */
    standInFreeUntilUnix: number
    /** Where what channels send is taken. */
    standInChannel: string
    /** A chat platform's bot interface. */
    standInBot: string
    /** Services that people keep lists of films with. */
    standInLists: string
    /** What knows by info hash which torrents are of the same files. */
    standInReseedService: string
    standInPushService: string
    /** Where the stand-in model listens. */
    standInModel: string
    /** A proxy, and with which address it lets pass. */
    standInProxy: { readonly host: string; readonly address: string }
    /** Services on the internet, and a listener that nobody should ever reach. */
    standInServices: { readonly origin: string; readonly canary: string }
    /** A downloader for each test file that uses one, and how to sign in to it. */
    standInDownloaders: Readonly<
      Record<
        | 'push'
        | 'site-proxy'
        | 'planted-secrets'
        | 'told-news'
        | 'assistant'
        | 'devices'
        | 'restart'
        | 'recorded'
        | 'searches'
        | 'brush'
        | 'feeds'
        | 'feed-gates'
        | 'chats',
        { readonly baseUrl: string; readonly username: string; readonly password: string }
      >
    >
  }
}
