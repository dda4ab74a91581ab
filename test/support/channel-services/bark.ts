/** As bark-server 2.3 pushes (Finb/bark-server at 1091c91: route_push.go, apns/apns.go, router.go, docs/API_V2.md). */
import { bodyOf, bytesOf, json, type StandInService } from './stand-in.ts'

const payloadBytesMax = 4096
const devices = new Set(['PlantedKeyOfBark22'])

function refuse(code: number, message: string) {
  return json(code, { code, message, timestamp: 1_795_600_000 })
}

/** As its JSON is written: what HTML would read is an escape. */
function written(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, '\\u0000')
}

export const bark: StandInService = {
  type: 'bark',
  origin: 'https://api.day.app',
  values: { server: 'https://api.day.app', key: 'PlantedKeyOfBark22', group: 'Wharf <&>' },
  refusals: [
    ['a device that is not known', { key: 'AnotherKey' }, { kind: 'not_found' }],
    ['no such path', { server: 'https://api.day.app/elsewhere/and/much/further' }, { kind: 'not_found' }],
  ],
  lengthen: (body) => ({ ...body, body: 'x'.repeat(payloadBytesMax) }),
  answer(request) {
    if (request.path !== '/push') return refuse(404, 'Cannot POST')
    const body = bodyOf(request)
    if (body === undefined) return refuse(400, 'request bind failed')
    const { device_key, title = '', body: text = '', group, ...others } = body
    if (Object.keys(others).length > 0) return refuse(400, 'request bind failed')
    if (typeof device_key !== 'string' || device_key === '') return refuse(400, 'device key is empty')
    if (!devices.has(device_key))
      return refuse(400, `failed to get device token: failed to get [${device_key}] device token from database`)
    const shown = { title, body: title === '' && text === '' ? 'Empty Message' : text }
    const around = { 'mutable-content': 1, sound: '1107.caf', category: 'myNotificationCategory' }
    const thread = group === undefined ? {} : { 'thread-id': group }
    const payload = { aps: { alert: shown, ...around, ...thread }, ...(group === undefined ? {} : { group }) }
    if (bytesOf(written(payload)) > payloadBytesMax) return refuse(500, 'push failed: PayloadTooLarge')
    return json(200, { code: 200, message: 'success', timestamp: 1_795_600_000 })
  },
}
