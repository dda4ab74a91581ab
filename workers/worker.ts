/** The Worker script: picks the family by path prefix and hands the request over whole. The only reader of `env`. */
import { env, waitUntil } from 'cloudflare:workers'
import { composeApp } from './app/compose.ts'

export { DownloaderObject } from './app/objects/downloader-object.ts'
export { SchedulerObject } from './app/objects/scheduler-object.ts'
export { SiteObject } from './app/objects/site-object.ts'

// Built once an isolate, on the first request it serves.
let app: ReturnType<typeof composeApp> | undefined

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/api/')) return env.ASSETS.fetch(request)
    app ??= composeApp(env, { run: (work) => waitUntil(work) })
    return app.fetch(request)
  },
} satisfies ExportedHandler
