/** Bindings that wrangler.toml does not list: secrets, which exist only where they were put, and bundled text. */
declare namespace Cloudflare {
  interface Env {
    /** 32 bytes, base64. Seals downloader passwords and other secrets at rest. */
    MASTER_KEY?: string
    /** One-time code of the set-up link; each code sets the owner's password once. */
    SETUP_CODE?: string
  }
}
declare module '*.toml' {
  const text: string
  export default text
}
