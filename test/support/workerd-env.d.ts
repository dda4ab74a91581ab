declare namespace Cloudflare {
  interface Env {
    D1_MIGRATIONS: import('@cloudflare/vitest-plugin').D1Migration[]
  }
}
