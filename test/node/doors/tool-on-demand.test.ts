import { test } from 'vitest'
import { succeed } from '#shared/kernel/result.ts'
import { waitingMax } from '../../../local/doors/limits.ts'
import { ToolOnDemand, type ToolProcess } from '../../../local/doors/tool-on-demand.ts'
import { unwrap } from '../../support/unwrap.ts'

/** A tool whose every start is counted, and that ends when it is told to or when the test says so. */
function toolUnderTest(isBusy: () => boolean = () => false) {
  const seen = { starts: 0, ends: 0, asked: 0 }
  let die: () => void = () => undefined
  const gate = { opened: Promise.resolve() }
  const tool = new ToolOnDemand(
    async () => {
      seen.starts += 1
      await gate.opened
      let end: () => void = () => undefined
      const ended = new Promise<void>((resolve) => {
        end = resolve
      })
      die = () => {
        seen.ends += 1
        end()
      }
      const process: ToolProcess = {
        target: { port: seen.starts },
        ended,
        async endIfQuiet() {
          seen.asked += 1
          if (isBusy()) return false
          die()
          return true
        },
        close: async () => die(),
      }
      return succeed(process)
    },
    () => undefined,
    20,
  )
  const lease = async () => {
    const outcome = unwrap(await tool.lease())
    return outcome
  }
  return { tool, seen, lease, gate, die: () => die() }
}

test('a tool is started by the first that need it, once, and again after it died', async ({ expect }) => {
  const { tool, seen, lease, die } = toolUnderTest()
  expect(seen.starts).toBe(0)

  const [first, second] = await Promise.all([lease(), lease()])
  expect([first.target, second.target, seen.starts]).toEqual([{ port: 1 }, { port: 1 }, 1])

  die()
  expect((await lease()).target).toEqual({ port: 2 })
  await tool.close()
})

test('a tool ends after a quiet while, not while somebody uses it', async ({ expect }) => {
  const { tool, seen, lease } = toolUnderTest()
  const stream = await lease()
  const request = await lease()
  request.release()
  request.release()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(seen).toEqual({ starts: 1, ends: 0, asked: 0 })

  stream.release()

  await expect.poll(() => seen.ends).toBe(1)
  expect((await lease()).target).toEqual({ port: 2 })
  await tool.close()
  expect(await tool.lease()).toMatchObject({ ok: false })
})

test('a tool with something to do is asked again later', async ({ expect }) => {
  let isBusy = true
  const { tool, seen, lease } = toolUnderTest(() => isBusy)
  const request = await lease()
  request.release()
  await expect.poll(() => seen.asked).toBeGreaterThan(2)
  expect(seen.ends).toBe(0)

  isBusy = false

  await expect.poll(() => seen.ends).toBe(1)
  await tool.close()
})

test('as many requests as may wait for a start wait, one more is refused', async ({ expect }) => {
  const { tool, gate } = toolUnderTest()
  let open: () => void = () => undefined
  gate.opened = new Promise((resolve) => {
    open = resolve
  })
  const waiting = Array.from({ length: waitingMax }, () => tool.lease())
  expect(await tool.lease()).toMatchObject({ ok: false })

  open()

  expect((await Promise.all(waiting)).every((lease) => lease.ok)).toBe(true)
  await tool.close()
})
