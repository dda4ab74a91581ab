/** The page's own helper in the browser: it keeps the page for when the server cannot be reached, and takes messages. */
import { basePath } from './home.ts'

/** Undefined where the browser has none: without HTTPS, and in some private windows. */
export async function offlineShell(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  try {
    await navigator.serviceWorker.register(`${basePath}/service-worker.js`, { updateViaCache: 'none' })
    return await navigator.serviceWorker.ready
  } catch {
    return undefined
  }
}
