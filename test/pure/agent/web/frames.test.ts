import fc from 'fast-check'
import { describe, test } from 'vitest'
import { createFrameReader } from '../../../../local/agent/web/api/frames.ts'

const stream =
  ': connected\n\nevent: message\nid: ses_1:4\ndata: {"a":"x: y"}\n\n: heartbeat\n\ndata: {"b":2}\n\ndata: {"c'

describe('frames of a stream', () => {
  test('are the same wherever the pieces are cut, and what is not whole waits', ({ expect }) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: stream.length })), (cuts) => {
        const read = createFrameReader()
        const places = [0, ...cuts.sort((one, other) => one - other), stream.length]
        const frames = places.slice(1).flatMap((end, at) => read(stream.slice(places[at], end)))
        expect(frames).toEqual([
          { id: 'ses_1:4', data: '{"a":"x: y"}' },
          { id: undefined, data: '{"b":2}' },
        ])
        expect(read('":3}\n\n')).toEqual([{ id: undefined, data: '{"c":3}' }])
      }),
    )
  })
})
