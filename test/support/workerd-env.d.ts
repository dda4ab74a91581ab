declare namespace Cloudflare {
  interface Env {
    D1_MIGRATIONS: import('@cloudflare/vitest-plugin').D1Migration[]
  }
  interface GlobalProps {
    mainModule: typeof import('../../workers/worker.ts')
  }
}
