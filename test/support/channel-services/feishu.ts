/**
 * As the custom robots of Feishu and Lark answer: path and body of caronc/apprise at cf17bc9e (apprise/plugins/feishu.py,
 * lark.py), codes of answers that were recorded in public (0, 9499, 11232, 19001, 19021).
 */
import { base64Hmac } from './hmac.ts'
import { bodyOf, bytesOf, json, type StandInService } from './stand-in.ts'

const token = 'f190000-PlantedTokenOfFeishu'
const secret = 'PlantedSecretOfFeishu'
const address = 'https://open.feishu.cn/open-apis/bot/v2/hook'

function refuse(code: number, msg: string) {
  return json(200, { code, data: {}, msg })
}

export const feishu: StandInService = {
  type: 'feishu',
  origin: 'https://open.feishu.cn',
  values: { address: `${address}/${token}`, secret },
  refusals: [
    ['a robot that is not known', { address: `${address}/another` }, { kind: 'not_found' }],
    ['another secret', { secret: 'AnotherSecret' }, { kind: 'credentials' }],
    ['no secret', { secret: '' }, { kind: 'credentials' }],
    ['no such path', { address: 'https://open.feishu.cn/elsewhere' }, { kind: 'not_found' }],
  ],
  limited: refuse(11232, 'frequency limited psm'),
  lengthen: (body) => ({ ...body, content: { text: 'x'.repeat(20 * 1024) } }),
  async answer(request, nowUnix) {
    const [, hook] = /^\/open-apis\/bot\/v2\/hook\/([\w-]+)$/.exec(request.path) ?? []
    if (hook === undefined) return { status: 404, body: '404 page not found' }
    if (hook !== token) return refuse(19001, 'param invalid: incoming webhook access token invalid')
    const { timestamp, sign, msg_type, content, ...others } = bodyOf(request) ?? {}
    const isFresh = Math.abs(Number(timestamp) - nowUnix) < 3600
    if (!isFresh || sign !== (await base64Hmac(`${timestamp}\n${secret}`, '')))
      return refuse(19021, 'sign match fail or timestamp is not within one hour from current time')
    const text = (content as { text?: unknown } | undefined)?.text
    if (msg_type !== 'text' || typeof text !== 'string' || text === '' || Object.keys(others).length > 0)
      return refuse(9499, 'Bad Request')
    if (bytesOf(request.body) > 20 * 1024) return refuse(9499, 'Bad Request: too large')
    return json(200, { StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success' })
  },
}
