/** The console's endpoints for devices paired through remote access. */
import * as z from '#shared/schema/deferred.ts'
import { devicePermissions } from '../core/vocabulary.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'
import { deviceName } from './tunnel.ts'

const wireDevice = z.object({
  id: z.string(),
  name: z.string(),
  permission: z.enum(devicePermissions),
  paired_at: z.int(),
  last_used_at: z.int().optional(),
})
export type WireDevice = z.infer<typeof wireDevice>

export const listDevices = declareRoute('session', 'get', '/devices', {
  operationId: 'listDevices',
  summary: '已配对的设备',
  answers: { 200: z.object({ items: z.array(wireDevice) }) },
})

const pairingCodeBody = z.strictObject({ permission: z.enum(devicePermissions) })
export type PairingCodeBody = z.input<typeof pairingCodeBody>

const wirePairingCode = z.object({ code: z.string(), expires_at: z.int() })
export type WirePairingCode = z.infer<typeof wirePairingCode>

/** `code` is shown this once and never again; it takes the place of the one before. 400 when there are 50 devices. */
export const makePairingCode = declareRoute('session', 'post', '/devices/code', {
  operationId: 'makePairingCode',
  summary: '新建配对码',
  body: pairingCodeBody,
  answers: { 200: wirePairingCode },
})

const deviceId = z.object({ id: z.string().min(1).max(64) })
const deviceBody = z.strictObject({ name: deviceName })
export type DeviceBody = z.input<typeof deviceBody>

export const renameDevice = declareRoute('session', 'put', '/devices/{id}', {
  operationId: 'renameDevice',
  summary: '修改设备名称',
  params: deviceId,
  body: deviceBody,
  answers: { 200: wireDevice },
})

export const revokeDevice = declareRoute('session', 'delete', '/devices/{id}', {
  operationId: 'revokeDevice',
  summary: '解除设备配对',
  params: deviceId,
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
})

export const consoleDeviceDeclarations: readonly RouteDeclaration[] = [
  listDevices,
  makePairingCode,
  renameDevice,
  revokeDevice,
]
