import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the stand-in sites listen. */
    standInSites: string
    /** A proxy, and with which address it lets pass. */
    standInProxy: { readonly host: string; readonly address: string }
    /** A downloader, and how to sign in to it. */
    standInDownloader: { readonly baseUrl: string; readonly username: string; readonly password: string }
  }
}
