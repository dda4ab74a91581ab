/** Paired devices, as the program of a client would be one. */
import { env, exports } from 'cloudflare:workers'
import { createTunnelCaller, type PairedDevice, type Post, pairDevice } from '../../../scripts/tunnel-client.ts'
import { consolePrefix } from '../../../workers/app/app.ts'
import type { DevicePermission } from '../../../workers/app/core/vocabulary.ts'
import type { TunnelHost } from '../../../workers/app/objects/tunnel-object.ts'
import { type Caller, type DeviceCaller, origin, send } from './app-client.ts'

interface Server {
  fetch(request: Request): Response | Promise<Response>
}

export async function postBytes(
  way: string,
  bytes: Uint8Array,
  address: string,
  server: Server = exports.default,
): Promise<Response> {
  const headers = { 'cf-connecting-ip': address }
  return server.fetch(new Request(`${origin}/api/tunnel/v1${way}`, { method: 'POST', headers, body: bytes }))
}

/** In a network of its own, so that tests do not count as one caller. */
export function newAddress(): string {
  const groups = crypto.getRandomValues(new Uint16Array(2))
  return `2001:db8:${[...groups].map((group) => group.toString(16)).join(':')}::1`
}

export function newPost(server?: Server): Post {
  const address = newAddress()
  return async (way, bytes) => {
    const response = await postBytes(way, bytes, address, server)
    return { status: response.status, bytes: await response.bytes() }
  }
}

export async function makeCode(session: Caller, permission: DevicePermission): Promise<string> {
  const made = await send('POST', `${consolePrefix}/devices/code`, session, { json: { permission } })
  return made.body.code
}

export interface DeviceUnderTest extends DeviceCaller {
  readonly id: string
  readonly paired: PairedDevice
  readonly post: Post
}

export async function makeDevice(
  owner: Caller,
  permission: DevicePermission,
  name = 'phone',
  post = newPost(),
): Promise<DeviceUnderTest> {
  const { device: paired } = await pairDevice(post, await makeCode(owner, permission), name)
  return { id: paired.deviceId, paired, post, carry: createTunnelCaller(post, paired) }
}

/** Where the sessions of a device are kept. */
export function tunnelObject(deviceId: string): DurableObjectStub<TunnelHost> {
  const objects = env.TUNNELS as DurableObjectNamespace<TunnelHost>
  return objects.get(objects.idFromName(deviceId))
}
