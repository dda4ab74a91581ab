declare namespace Cloudflare {
  interface Env {
    /** Requests a route in the fuzz of every route, from WHARF_FUZZ_RUNS. */
    FUZZ_RUNS: string
    /** Empty for a seed of its own, which a failure prints. */
    FUZZ_SEED: string
    D1_MIGRATIONS: import('@cloudflare/vitest-plugin').D1Migration[]
  }
  interface GlobalProps {
    mainModule: typeof import('../../../workers/worker.ts')
  }
}
