/**
 * As ServerChan Turbo answers: path and fields of caronc/apprise at cf17bc9e (apprise/plugins/serverchan.py), bounds of the
 * service's own page (title 32 characters, text 32 KB), codes of answers that were recorded in public (0, 40001).
 */
import { bodyOf, bytesOf, json, type StandInService } from './stand-in.ts'

function refuse(message: string) {
  return json(400, { message, code: 40001, info: message, args: [null], scode: 461 })
}

export const serverchan: StandInService = {
  type: 'serverchan',
  origin: 'https://sctapi.ftqq.com',
  values: { server: 'https://sctapi.ftqq.com', key: 'SCTPlantedKeyOfServerChan' },
  refusals: [
    ['a key that is not known', { key: 'SCTAnotherKey' }, { kind: 'credentials' }],
    ['no such path', { server: 'https://sctapi.ftqq.com/elsewhere' }, { kind: 'not_found' }],
  ],
  limited: refuse('[AUTH]超过当天的发送次数限制[5]，请稍后再试'),
  lengthen: (body) => ({ ...body, desp: 'x'.repeat(32 * 1024 + 1) }),
  answer(request) {
    const [, key] = /^\/([A-Za-z0-9]+)\.send$/.exec(request.path) ?? []
    if (key === undefined) return { status: 404, body: '<html>404</html>' }
    if (key !== 'SCTPlantedKeyOfServerChan') return refuse('[AUTH]用户不存在或者权限不足')
    const { title, desp, ...others } = bodyOf(request) ?? {}
    if (typeof title !== 'string' || title === '' || Object.keys(others).length > 0)
      return refuse('[INPUT]标题不能为空')
    if ([...title].length > 32 || typeof desp !== 'string' || bytesOf(desp) > 32 * 1024)
      return refuse('[INPUT]内容过长')
    return json(200, { code: 0, message: '', data: { pushid: '1', readkey: 'SCT', error: 'SUCCESS', errno: 0 } })
  },
}
