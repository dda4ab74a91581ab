/**
 * As PushPlus answers: path and fields of caronc/apprise at cf17bc9e (apprise/plugins/pushplus.py), codes of the service's own
 * list (200, 900, 903, 905, 999).
 */
import { bodyOf, json, type StandInService } from './stand-in.ts'

const token = 'f0f0f0PlantedTokenOfPushPlus0000'

function refuse(code: number, msg: string) {
  return json(200, { code, msg, data: null, count: null })
}

export const pushplus: StandInService = {
  type: 'pushplus',
  origin: 'https://www.pushplus.plus',
  values: { server: 'https://www.pushplus.plus', token, topic: 'harbour' },
  refusals: [
    ['a token that is not known', { token: 'another' }, { kind: 'credentials' }],
    ['a group that is not known', { topic: 'lighthouse' }, { kind: 'rejected' }],
    ['no such path', { server: 'https://www.pushplus.plus/elsewhere' }, { kind: 'not_found' }],
  ],
  limited: refuse(900, '用户账号使用受限'),
  lengthen: (body) => ({ ...body, content: 'x'.repeat(20_001) }),
  answer(request) {
    if (request.path !== '/send') return { status: 404, body: '' }
    const { token: given, title, content, template, topic, ...others } = bodyOf(request) ?? {}
    if (given !== token) return refuse(903, '无效的用户令牌')
    if (topic !== undefined && topic !== 'harbour') return refuse(999, '群组编码不存在')
    if (typeof content !== 'string' || content === '' || content.length > 20_000)
      return refuse(999, '内容不能为空或过长')
    if (typeof title !== 'string' || [...title].length > 100 || template !== 'txt' || Object.keys(others).length > 0)
      return refuse(999, '服务端验证错误')
    return json(200, { code: 200, msg: '请求成功', data: '2d6c0000000000000000000000000000', count: null })
  },
}
