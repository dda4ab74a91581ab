import { DurableObject } from 'cloudflare:workers'
import type { DeviceEnd } from '../adapters/tunnel/device-end.ts'
import type { Principal } from '../core/principal.ts'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * One paired device's sessions, and the only place where their keys are. They are in memory alone: an object that was
 * lost refuses what is sealed with them, and the device shakes hands again.
 */
export abstract class TunnelHost extends DurableObject<Cloudflare.Env> implements DeviceEnd {
  readonly #end = this.compose()

  protected abstract compose(): DeviceEnd

  admit(name: string, keys: { readonly sending: Bytes; readonly receiving: Bytes }): Promise<void> {
    return this.#end.admit(name, keys)
  }

  carry(caller: Principal, session: string, number: number, sealed: Bytes): Promise<Uint8Array | undefined> {
    return this.#end.carry(caller, session, number, sealed)
  }

  close(): Promise<void> {
    return this.#end.close()
  }
}
