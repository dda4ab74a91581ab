/** As ntfy 2.13 publishes JSON (binwiederhier/ntfy at 81a486ad: server/server.go, server/errors.go, server/config.go). */
import { bodyOf, bytesOf, json, type StandInService } from './stand-in.ts'

const messageBytesMax = 4096
const topics = new Set(['harbour'])
const tokens = new Set(['tk_PlantedTokenOfNtfy'])
const disallowed = new Set(['docs', 'static', 'file', 'app', 'metrics', 'account', 'settings', 'signup', 'login', 'v1'])

function refuse(code: number, error: string) {
  const http = Math.floor(code / 100)
  return json(http, { code, http, error })
}

export const ntfy: StandInService = {
  type: 'ntfy',
  origin: 'https://ntfy.sh',
  values: { server: 'https://ntfy.sh', topic: 'harbour', token: 'tk_PlantedTokenOfNtfy' },
  refusals: [
    ['a token that is not known', { token: 'tk_another' }, { kind: 'credentials' }],
    ['a topic of somebody else', { topic: 'lighthouse' }, { kind: 'credentials' }],
    ['a topic that cannot be one', { topic: 'a/b' }, { kind: 'rejected' }],
    ['a topic with another meaning', { topic: 'docs' }, { kind: 'rejected' }],
    ['no such path', { server: 'https://ntfy.sh/elsewhere' }, { kind: 'not_found' }],
  ],
  limited: refuse(42908, 'limit reached: daily message quota reached'),
  lengthen: (body) => ({ ...body, message: 'x'.repeat(messageBytesMax + 1) }),
  answer(request) {
    if (request.path !== '/') return refuse(40401, 'page not found')
    const body = bodyOf(request)
    const { topic, title, message, ...others } = body ?? {}
    if (body === undefined || Object.keys(others).length > 0) return refuse(40024, 'invalid request')
    if (bytesOf(request.body) > 2 * messageBytesMax) return refuse(41303, 'JSON body too large')
    if (typeof topic !== 'string' || !/^[-_A-Za-z0-9]{1,64}$/.test(topic)) return refuse(40009, 'topic invalid')
    const [scheme, token = ''] = (request.headers['authorization'] ?? '').split(' ')
    if (scheme !== '' && (scheme !== 'Bearer' || !tokens.has(token))) return refuse(40101, 'unauthorized')
    if (disallowed.has(topic)) return refuse(40010, 'topic name is not allowed')
    if (!topics.has(topic) || token === '') return refuse(40301, 'forbidden')
    if (typeof title !== 'string' || typeof message !== 'string') return refuse(40024, 'invalid request')
    // It would be kept as a file, which this server does not.
    if (bytesOf(message) > messageBytesMax) return refuse(40014, 'attachments not allowed')
    return json(200, { id: 'hwQ2YpKdmg', time: 1, expires: 2, event: 'message', topic, title, message })
  },
}
