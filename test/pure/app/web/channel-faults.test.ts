import { describe, test } from 'vitest'
import { type ChannelFault, describeChannelFault } from '../../../../workers/app/core/channel-fault.ts'
import { channelFaultsOf } from '../../../../workers/app/web/model/channel-faults.ts'
import { chinese } from '../../../../workers/app/web/words/chinese.ts'
import { english } from '../../../../workers/app/web/words/english.ts'

/** Typed against the server's list, so that a new reason does not compile until it stands here. */
const everyFault: Readonly<Record<ChannelFault['kind'], readonly ChannelFault[]>> = {
  credentials: [{ kind: 'credentials' }],
  rejected: [{ kind: 'rejected' }],
  not_found: [{ kind: 'not_found' }],
  rate_limited: [{ kind: 'rate_limited' }],
  unreachable: [{ kind: 'unreachable' }],
  timeout: [{ kind: 'timeout' }],
  certificate: [{ kind: 'certificate' }],
  redirected: [{ kind: 'redirected' }],
  not_a_bot: [{ kind: 'not_a_bot' }],
  too_large: [{ kind: 'too_large' }],
  status: [{ kind: 'status', status: 503 }],
  secrets: [
    { kind: 'secrets', state: 'missing' },
    { kind: 'secrets', state: 'changed' },
  ],
}

describe('reasons of channels', () => {
  test.for(Object.values(everyFault).flat())('the page knows what the server says: %o', (fault, { expect }) => {
    const detail = fault.kind === 'status' ? '503' : ''
    const sentence = describeChannelFault(fault)
    expect(channelFaultsOf(sentence)).toEqual([{ name: fault.kind, detail }])
    const told = english.channelFaults[fault.kind](detail)
    expect(told).toContain(detail)
    expect(told).not.toMatch(/\p{Script=Han}/u)
    expect(chinese.channelFaults[fault.kind](detail)).toContain(detail)
    // As a job says it of several.
    expect(channelFaultsOf(`phone：${sentence}；客厅：接收方响应超时`)).toEqual([
      { name: fault.kind, detail, channel: 'phone' },
      { name: 'timeout', detail: '', channel: '客厅' },
    ])
  })

  test.for(['', '别的话', '无法连接接收方了', 'phone：别的话；客厅：接收方响应超时'])(
    '%j is no known reason',
    (words, { expect }) => {
      expect(channelFaultsOf(words)).toBeUndefined()
    },
  )
})
