import { describe, expect, it } from 'vitest'
import { Canceller, webSignal } from '../../../workers/gateway/core/cancellation.ts'

describe('a canceller', () => {
  it('fires once, with its reason, for those who still listen', () => {
    const canceller = new Canceller()
    const heard: string[] = []
    const gone = () => heard.push('gone')
    canceller.signal.addEventListener('abort', () => heard.push(String(canceller.signal.reason)))
    canceller.signal.addEventListener('abort', gone)
    canceller.signal.removeEventListener('abort', gone)
    expect(canceller.signal.aborted).toBe(false)
    canceller.abort('first')
    canceller.abort('second')
    expect(heard).toEqual(['first'])
    expect(canceller.signal).toMatchObject({ aborted: true, reason: 'first' })
  })

  it('reaches all that listen, also when one of them takes itself off', () => {
    const canceller = new Canceller()
    const heard: number[] = []
    const first = () => {
      heard.push(1)
      canceller.removeEventListener('abort', first)
    }
    canceller.addEventListener('abort', first)
    canceller.addEventListener('abort', () => heard.push(2))
    canceller.abort()
    expect(heard).toEqual([1, 2])
  })

  it('is a signal of the web for what takes no other', () => {
    const canceller = new Canceller()
    const signal = webSignal(canceller)
    expect(signal.aborted).toBe(false)
    const reason = new Error('the client left')
    canceller.abort(reason)
    expect(signal.reason).toBe(reason)
    expect(webSignal(canceller).reason).toBe(reason)
    expect(webSignal(signal)).toBe(signal)
  })
})
