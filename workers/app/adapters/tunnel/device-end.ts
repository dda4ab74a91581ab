import type { Clock } from '#shared/kernel/clock.ts'
import type { Principal } from '../../core/principal.ts'
import type { TunnelApp } from '../../http/tunnel-app.ts'
import { DeviceSessions } from './device-sessions.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The service's end of one device's tunnel, wherever it is kept. */
export interface DeviceEnd {
  admit(name: string, keys: { readonly sending: Bytes; readonly receiving: Bytes }): Promise<void>
  /** Undefined for whatever is no fresh request of a session. `caller` is the device as it is known now. */
  carry(caller: Principal, session: string, number: number, sealed: Bytes): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

export function createDeviceEnd(clock: Clock, app: () => TunnelApp): DeviceEnd {
  const sessions = new DeviceSessions(clock)
  return {
    admit: (name, keys) => sessions.admit(name, keys),
    async carry(caller, session, number, sealed) {
      const request = await sessions.take(session, number, sealed)
      if (request === undefined) return undefined
      try {
        return await request.seal(
          request.isOneTooMany ? await app().refuseMore() : await app().answer(caller, request.message),
        )
      } finally {
        request.end()
      }
    },
    close: async () => sessions.forget(),
  }
}
