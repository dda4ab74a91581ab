import type { OwnerSettings } from '../../ports/settings.ts'
import { makePushKey, openPushKey, type PushKey } from '../web-push.ts'

/**
 * The key by which push services know this service, made when it is first asked for. Undefined while the master key that
 * seals it is not at hand. One that was sealed under a master key that the owner has given up is made anew: the browsers
 * that were subscribed with it are lost with their channels, which were sealed as well.
 */
export function createOwnerPushKey(settings: Pick<OwnerSettings, 'read' | 'openSecret' | 'write'>) {
  async function stored(): Promise<PushKey | undefined> {
    const { value, hasSecret } = await settings.read('webPush')
    if (!hasSecret || value.publicKey === '') return undefined
    const secret = await settings.openSecret('webPush')
    return secret.ok ? openPushKey(value.publicKey, secret.value) : undefined
  }
  return async (): Promise<PushKey | undefined> => {
    const before = await stored()
    if (before !== undefined) return before
    const { publicKey, kept } = await makePushKey()
    const written = await settings.write('webPush', { publicKey }, kept)
    // Of two that are made at the same time the last one stays, for both.
    return written.ok ? stored() : undefined
  }
}
