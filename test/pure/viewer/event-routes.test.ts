import { test } from 'vitest'
import { eventRoutes } from '../../../local/viewer/http/routes/event-routes.ts'
import { queuedBytesMax } from '../../../local/viewer/limits.ts'

test('a tab may keep the bound of bytes waiting, and is let go at its next event with one byte more', async ({
  expect,
}) => {
  let tell: (frame: string) => void = () => undefined
  let isClosed = false
  const routes = eventRoutes({
    events: {
      subscribe(send) {
        tell = send
        return {
          close: () => {
            isClosed = true
          },
        }
      },
      tellProofs: () => undefined,
      endAll: () => undefined,
      isWatching: true,
      degraded: null,
    },
  })
  const { body } = await routes.request('/api/events')

  tell('x'.repeat(queuedBytesMax))
  tell('y')
  expect(isClosed).toBe(false)
  tell('z')
  expect(isClosed).toBe(true)

  const lengths: number[] = []
  for await (const chunk of body ?? []) lengths.push(chunk.length)
  expect(lengths).toEqual([queuedBytesMax, 1])
})
