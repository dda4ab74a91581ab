/** Subscribes this browser at its push service, with the service's own key. */
import { fetchPushKey } from './api/messages.ts'
import { offlineShell } from './offline-shell.ts'

export interface BrowserPlace {
  readonly address: string
  readonly p256dh: string
  readonly auth: string
}

export type PushProblem = 'unsupported' | 'denied' | 'failed'

export async function subscribeHere(): Promise<BrowserPlace | PushProblem> {
  if (!('PushManager' in globalThis) || !('Notification' in globalThis)) return 'unsupported'
  const registration = await offlineShell()
  if (registration === undefined) return 'unsupported'
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  const key = await fetchPushKey()
  if (!key.ok) return 'failed'
  try {
    const before = await registration.pushManager.getSubscription()
    // With another key than before, the old subscription has to go first.
    await before?.unsubscribe()
    const options = { userVisibleOnly: true, applicationServerKey: key.value.public_key }
    const { endpoint = '', keys = {} } = (await registration.pushManager.subscribe(options)).toJSON()
    const { p256dh = '', auth = '' } = keys
    return { address: endpoint, p256dh, auth }
  } catch {
    return Notification.permission === 'denied' ? 'denied' : 'failed'
  }
}
