import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test, vi } from 'vitest'
import { createEventFeed } from '../../../local/viewer/adapters/event-feed.ts'
import { createIndexAccess } from '../../../local/viewer/adapters/published-index.ts'
import { watchIndexFolder } from '../../../local/viewer/adapters/watches.ts'
import { startViewer } from '../../../local/viewer/serve-viewer.ts'
import { unwrap } from '../../support/unwrap.ts'
import { indexedInTest, projectInTest } from '../../support/viewer-in-test.ts'

test('a comment every 25 seconds keeps a stream alive', ({ expect, onTestFinished }) => {
  const project = projectInTest({})
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const feed = createEventFeed({
    clock: { nowMs: () => 1 },
    index: createIndexAccess(project.place),
    watchSource: () => undefined,
    watchIndex: () => undefined,
  })
  const frames: string[] = []
  const subscription = feed.subscribe(
    (frame) => frames.push(frame),
    () => {},
  )
  const pings = (): number => frames.filter((one) => one === ': ping\n\n').length

  vi.advanceTimersByTime(24_999)
  expect(pings()).toBe(0)
  vi.advanceTimersByTime(1)
  expect(pings()).toBe(1)
  vi.advanceTimersByTime(50_000)
  expect(pings()).toBe(3)
  subscription.close()
})

test('writes that do not settle are looked at within 3 seconds, settled ones after 400 ms', async ({
  expect,
  onTestFinished,
}) => {
  const project = await indexedInTest({ 'a.ts': '' })
  const settled: number[] = []
  const started = performance.now()
  const watch = watchIndexFolder(project.place, () => settled.push(performance.now() - started))
  onTestFinished(() => watch?.close())
  const file = path.join(project.place.folder, 'noise')
  let writes = 0
  // On a busy machine a write may come late enough to look like quiet, and a look late by as much.
  let late = 0
  let last = started
  const writer = setInterval(() => {
    writes += 1
    late = Math.max(late, performance.now() - last - 100)
    last = performance.now()
    writeFileSync(file, String(writes))
  }, 100)
  onTestFinished(() => clearInterval(writer))

  await expect.poll(() => settled.length, { timeout: 20_000, interval: 20 }).toBe(1)
  clearInterval(writer)
  writeFileSync(file, 'the last one')
  const stopped = performance.now() - started
  await expect.poll(() => settled.length, { timeout: 20_000, interval: 20 }).toBe(2)

  expect(settled[0]).toBeGreaterThan(late > 200 ? 0 : 2900)
  expect(settled[0]).toBeLessThan(3700 + late)
  expect((settled[1] ?? 0) - stopped).toBeGreaterThan(200)
})

test('without a port the first free one from 4747 to 4767 is taken', async ({ expect, onTestFinished }) => {
  const project = await indexedInTest({ 'a.ts': '' })
  const ports: number[] = []
  for (let viewer = 0; viewer < 3; viewer += 1) {
    const started = unwrap(
      await startViewer({
        place: project.place,
        port: undefined,
        isReadOnly: true,
        isWatchWanted: false,
        report: () => {},
      }),
    )
    onTestFinished(() => started.close())
    ports.push(started.port)
  }

  expect(ports.every((port) => port >= 4747 && port <= 4767)).toBe(true)
  expect([...new Set(ports)]).toEqual([...ports].sort((left, right) => left - right))
})
