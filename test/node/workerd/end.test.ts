/** The word to stop, while clients write. */
import { test } from 'vitest'
import { endAfterTest, makeDataFolder } from '../../support/data-folder.ts'
import { startServe } from '../../support/process-host.ts'

const writers = 8

test('a write that is under way at the end is answered as it took effect, or not at all', { timeout: 120_000 }, async ({
  expect,
}) => {
  const folder = await makeDataFolder()
  const tools = ['--without', 'agent,viewer', '--no-sandbox']
  const host = endAfterTest(startServe(['--workers', '--data', folder, '--port', '0', ...tools]))
  const origin = await host.ready()
  const ask = (method: string, target: string, body: object, cookie = '') =>
    fetch(`${origin}${target}`, {
      method,
      headers: { 'content-type': 'application/json', origin, cookie },
      body: JSON.stringify(body),
    })
  const code = /setup\?code=(\S+)/.exec(host.stdout())?.[1]
  const setUp = await ask('POST', '/api/console/v1/setup', { code, password: 'harbour lanterns at four' })
  const cookie = setUp.headers.get('set-cookie')?.split(';')[0] ?? ''
  const statuses: number[] = []
  const write = async () => {
    for (let count = 0; ; count += 1) {
      const body = { title: '', text: `number ${count}` }
      const status = await ask('PUT', '/api/app/v1/templates/reply.status', body, cookie).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        },
        () => undefined,
      )
      if (status === undefined) return
      statuses.push(status)
    }
  }
  const written = Array.from({ length: writers }, write)
  await expect.poll(() => statuses.length).toBeGreaterThan(writers)
  host.child.kill('SIGTERM')
  expect((await host.exit).code).toBe(0)
  await Promise.all(written)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
})
