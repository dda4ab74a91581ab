import { failWith, succeed } from '#shared/kernel/result.ts'
import {
  listDevices,
  makePairingCode,
  renameDevice,
  revokeDevice,
  type WireDevice,
} from '../../contract/console-devices.ts'
import { failure } from '../../core/failure.ts'
import { devicesMax } from '../../limits.ts'
import type { Device } from '../../ports/account.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { removeNamed } from '../remove-named.ts'

const refusals = {
  not_found: failure('not_found', { kind: 'none', what: 'device' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'device', limit: devicesMax }),
  secrets: failure('unavailable', { kind: 'cannot_seal', what: 'device' }),
} as const

export function consoleDeviceRoutes(
  deps: Pick<AppDeps, 'assistant' | 'background' | 'devices' | 'logger' | 'tunnel'>,
): BoundRoute[] {
  return [
    bind(listDevices, async () => succeed({ body: { items: (await deps.devices.list()).map(toWireDevice) } })),
    bind(makePairingCode, async ({ body }) => {
      const made = await deps.devices.makeCode(body.permission)
      if (!made.ok) return failWith(refusals[made.failure])
      return succeed({ body: { code: made.value.code, expires_at: made.value.expiresAtUnix } })
    }),
    bind(renameDevice, async ({ params, body }) => {
      const renamed = await deps.devices.rename(params.id, body.name)
      return renamed === undefined ? failWith(refusals.not_found) : succeed({ body: toWireDevice(renamed) })
    }),
    bind(revokeDevice, async ({ params }) => {
      const { devices } = deps
      const store = { list: () => devices.list(), remove: (id: string) => devices.revoke(id) }
      const revoked = await removeNamed(store, params.id, refusals.not_found)
      if (!revoked.ok) return revoked
      // What it was told is told to nobody any more, and what it asked for is not worked on.
      const ending = Promise.all([deps.assistant.removeAll(`device:${params.id}`), deps.tunnel.close(params.id)])
      deps.background.run(ending.catch((cause) => deps.logger.error('device_not_cleared', { cause })))
      return revoked
    }),
  ]
}

function toWireDevice(device: Device): WireDevice {
  return {
    id: device.id,
    name: device.name,
    permission: device.permission,
    paired_at: device.pairedAtUnix,
    ...(device.lastUsedAtUnix === undefined ? {} : { last_used_at: device.lastUsedAtUnix }),
  }
}
