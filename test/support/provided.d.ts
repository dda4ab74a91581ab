import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the stand-in sites listen. */
    standInSites: string
    /** A downloader, and how to sign in to it. */
    standInDownloader: { readonly baseUrl: string; readonly username: string; readonly password: string }
  }
}
