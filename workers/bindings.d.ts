/** Bindings that wrangler.toml does not list: secrets, which exist only where they were put, and bundled text. */
declare namespace Cloudflare {
  interface Env {
    /** 32 bytes, base64. Seals downloader passwords and other secrets at rest. */
    MASTER_KEY?: string
    /** One-time code of the set-up link; each code sets the owner's password once. */
    SETUP_CODE?: string
    /** The outgoing side of the host on one's own machine, which sends calls through a site's proxy; absent at the edge. */
    OUTGOING?: Fetcher
    /** What the script proves itself with there; made anew with each start. */
    OUTGOING_CODE?: string
    /** The host on one's own machine, which knows its disk and its backups. Absent at the edge. */
    OWN_HOST?: Fetcher
    /** On one's own machine: the addresses of the service that have a path, as https://nas.example/wharf, with spaces between. */
    BASED_AT?: string
    /** `yes`: the figures for monitors are read without a credential. */
    METRICS_OPEN?: string
    /** Where a collector takes traces and metrics by OTLP; none are sent without it. */
    OTEL_EXPORTER_OTLP_ENDPOINT?: string
    /** `name=value,name=value`, what it is sent with. */
    OTEL_EXPORTER_OTLP_HEADERS?: string
    /** What it calls this service. */
    OTEL_SERVICE_NAME?: string
    /** On one's own machine: leads to public addresses only, whatever a name resolves to. Absent at the edge, where `fetch` does. */
    PUBLIC_NETWORK?: Fetcher
    /** Where `fetch` tells each site which platform it is on: leads everywhere and adds nothing. Absent elsewhere. */
    SITE_NETWORK?: Fetcher
    /** What the host in whose process the script runs has that is faster than the platform's own; absent elsewhere. */
    GATEWAY_HOST?: Partial<import('./gateway/compose.ts').GatewayHost>
  }
}
declare module '*.toml' {
  const text: string
  export default text
}

/** The one function of Node's that the Worker uses; workerd has it natively under the `nodejs_compat` flag. */
declare module 'node:crypto' {
  export function scrypt(
    password: string,
    salt: Uint8Array,
    keyLength: number,
    options: { N: number; r: number; p: number; maxmem: number },
    callback: (error: Error | null, key: Uint8Array) => void,
  ): void
}
