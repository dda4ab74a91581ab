import { describe, test } from 'vitest'
import { describeServiceFault, type Service, type ServiceFault } from '../../../../workers/app/core/service-fault.ts'
import { serviceFaultOf } from '../../../../workers/app/web/model/service-faults.ts'
import { chinese } from '../../../../workers/app/web/words/chinese.ts'
import { english } from '../../../../workers/app/web/words/english.ts'

/** Typed against the server's list, so that a new reason does not compile until it stands here. */
const everyFault: Readonly<Record<ServiceFault['kind'], readonly ServiceFault[]>> = {
  not_set_up: [{ kind: 'not_set_up' }],
  not_found: [{ kind: 'not_found' }],
  refused: [{ kind: 'refused' }],
  rate_limited: [{ kind: 'rate_limited', retryAfterSeconds: 5 }],
  busy: [{ kind: 'busy' }],
  unreachable: [{ kind: 'unreachable' }],
  certificate: [{ kind: 'certificate' }],
  timeout: [{ kind: 'timeout' }],
  too_large: [{ kind: 'too_large' }],
  redirected: [{ kind: 'redirected' }],
  broken: [{ kind: 'broken' }],
  status: [{ kind: 'status', status: 503 }],
  proxy_unreachable: [{ kind: 'proxy_unreachable' }],
  proxy_refused: [{ kind: 'proxy_refused' }],
  proxy_unsupported: [{ kind: 'proxy_unsupported' }],
  secrets: [
    { kind: 'secrets', state: 'missing' },
    { kind: 'secrets', state: 'changed' },
  ],
  interrupted: [{ kind: 'interrupted' }],
}
const services: readonly Service[] = ['metadata', 'images', 'releases']

describe('reasons of services', () => {
  test.for(Object.values(everyFault).flat())('the page knows what the server says of %o', (fault, { expect }) => {
    for (const service of services) {
      const sentence = describeServiceFault(service, fault)
      expect(serviceFaultOf(sentence), sentence).toBe(fault.kind)
    }
  })

  test('have words in both languages, and no other ones', ({ expect }) => {
    expect(Object.keys(english.serviceFaults).sort()).toEqual(Object.keys(everyFault).sort())
    expect(Object.keys(chinese.serviceFaults).sort()).toEqual(Object.keys(everyFault).sort())
  })

  test.for(['', 'constructor', '图片服务器返回了意外的 HTTP 状态 12', '别的话'])(
    '%j is no known reason',
    (words, { expect }) => {
      expect(serviceFaultOf(words)).toBeUndefined()
    },
  )
})
