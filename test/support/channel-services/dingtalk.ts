/**
 * As the custom robots of DingTalk answer: path, body and signature of caronc/apprise at cf17bc9e
 * (apprise/plugins/dingtalk.py), codes of answers that were recorded in public (0, 300001, 310000, 130101).
 */
import { base64Hmac } from './hmac.ts'
import { bodyOf, bytesOf, json, type StandInService } from './stand-in.ts'

const token = 'PlantedTokenOfDingTalk'
const secret = 'SECPlantedSecretOfDingTalk'
const address = 'https://oapi.dingtalk.com/robot/send'
const hourMs = 3600 * 1000

export const dingtalk: StandInService = {
  type: 'dingtalk',
  origin: 'https://oapi.dingtalk.com',
  values: { address: `${address}?access_token=${token}`, secret },
  refusals: [
    ['a robot that is not known', { address: `${address}?access_token=another` }, { kind: 'not_found' }],
    ['another secret', { secret: 'SECAnotherSecret' }, { kind: 'credentials' }],
    ['no secret', { secret: '' }, { kind: 'credentials' }],
    ['no such path', { address: `https://oapi.dingtalk.com/elsewhere?access_token=${token}` }, { kind: 'not_found' }],
  ],
  limited: json(200, { errcode: 130101, errmsg: 'send too fast, exceed 20 times per minute' }),
  lengthen: (body) => ({ ...body, text: { content: 'x'.repeat(20_001) } }),
  async answer(request, nowUnix) {
    const { pathname, searchParams } = new URL(request.path, address)
    if (pathname !== '/robot/send') return json(404, { errcode: 404, errmsg: '请求的URI地址不存在' })
    if (searchParams.get('access_token') !== token) return json(200, { errcode: 300001, errmsg: 'token is not exist' })
    const timestamp = searchParams.get('timestamp') ?? ''
    if (!(Math.abs(Number(timestamp) - nowUnix * 1000) < hourMs))
      return json(200, { errcode: 310000, errmsg: 'invalid timestamp' })
    if (searchParams.get('sign') !== (await base64Hmac(secret, `${timestamp}\n${secret}`)))
      return json(200, { errcode: 310000, errmsg: 'sign not match' })
    const { msgtype, text, ...others } = bodyOf(request) ?? {}
    const content = (text as { content?: unknown } | undefined)?.content
    if (msgtype !== 'text' || Object.keys(others).length > 0)
      return json(200, { errcode: 40035, errmsg: 'invalid parameter' })
    if (typeof content !== 'string' || content === '') return json(200, { errcode: 40035, errmsg: 'missing content' })
    if (bytesOf(request.body) > 20_000) return json(200, { errcode: 460101, errmsg: 'message too long' })
    return json(200, { errcode: 0, errmsg: 'ok' })
  },
}
