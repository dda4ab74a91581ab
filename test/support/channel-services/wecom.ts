/**
 * As the group robots of WeCom answer: path and body of caronc/apprise at cf17bc9e (apprise/plugins/wecombot.py), the bound
 * of its document 91770 (2,048 bytes of text), codes of answers that were recorded in public (0, 40058, 45009, 93000).
 */
import { bodyOf, bytesOf, json, type StandInService } from './stand-in.ts'

const key = '73feb000-1b38-4d1b-a994-PlantedKey'
const address = 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send'

export const wecom: StandInService = {
  type: 'wecom',
  origin: 'https://qyapi.weixin.qq.com',
  values: { address: `${address}?key=${key}` },
  refusals: [
    ['a robot that is not known', { address: `${address}?key=another` }, { kind: 'not_found' }],
    ['no such path', { address: `https://qyapi.weixin.qq.com/elsewhere?key=${key}` }, { kind: 'not_found' }],
  ],
  limited: json(200, { errcode: 45009, errmsg: 'api freq out of limit' }),
  lengthen: (body) => ({ ...body, text: { content: 'x'.repeat(2049) } }),
  answer(request) {
    const { pathname, searchParams } = new URL(request.path, address)
    if (pathname !== '/cgi-bin/webhook/send') return { status: 404, body: '' }
    if (searchParams.get('key') !== key) return json(200, { errcode: 93000, errmsg: 'invalid webhook url' })
    const { msgtype, text, ...others } = bodyOf(request) ?? {}
    const content = (text as { content?: unknown } | undefined)?.content
    if (msgtype !== 'text' || Object.keys(others).length > 0)
      return json(200, { errcode: 40008, errmsg: 'invalid message type' })
    if (typeof content !== 'string' || content === '') return json(200, { errcode: 44004, errmsg: 'empty content' })
    if (bytesOf(content) > 2048) return json(200, { errcode: 40058, errmsg: 'content exceed max length 2048' })
    return json(200, { errcode: 0, errmsg: 'ok' })
  },
}
