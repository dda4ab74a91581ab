import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the stand-in sites listen. */
    standInSites: string
  }
}
