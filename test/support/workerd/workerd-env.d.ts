declare namespace Cloudflare {
  interface Env {
    /** Requests a route in the fuzz of every route, from WHARF_FUZZ_RUNS. */
    FUZZ_RUNS: string
    D1_MIGRATIONS: import('@cloudflare/vitest-plugin').D1Migration[]
  }
  interface GlobalProps {
    mainModule: typeof import('../../../workers/worker.ts')
  }
}
