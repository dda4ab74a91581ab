/** Reached from the network: only by who asked for it, only behind a password, only under its own addresses. */
import { rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { describe, test } from 'vitest'
import { ownerPasswordFileBytesMax } from '../../../local/workerd/limits.ts'
import { addressesFor, hostOf } from '../../../local/workerd/network-addresses.ts'
import { endAfterTest, makeDataFolder } from '../../support/data-folder.ts'
import { startServe } from '../../support/process-host.ts'

const password = 'harbour lanterns at four'
const alone = ['--without', 'agent,viewer', '--no-sandbox']
/** Another address of this machine, on every machine. */
const other = '127.0.0.2'

const start = (folder: string, ...args: readonly string[]) =>
  endAfterTest(startServe(['--workers', '--data', folder, '--port', '0', ...alone, ...args]))

function statusOf(address: string, port: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: address, port, path: '/healthz', headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.once('error', reject)
    asked.end()
  })
}

describe('--listen', { timeout: 120_000 }, () => {
  test('is refused while anybody may set the password, and serves once there is one', async ({ expect }) => {
    const folder = await makeDataFolder()
    const refused = start(folder, '--listen', other)
    expect(await refused.exit).toEqual({ code: 1, signal: null })
    expect(refused.stderr()).toContain('set the owner’s password')

    const first = start(folder)
    const origin = await first.ready()
    await expect.poll(() => first.stdout()).toMatch(/setup\?code=\S/)
    const setUp = await fetch(`${origin}/api/console/v1/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({
        code: /setup\?code=(\S+)/.exec(first.stdout())?.[1],
        password,
      }),
    })
    expect(setUp.status).toBe(200)
    const closed = new URL(origin).port
    await expect(statusOf(other, closed, `${other}:${closed}`)).rejects.toThrow('ECONNREFUSED')
    first.child.kill('SIGTERM')
    await first.exit

    const renewed = start(folder, '--listen', other, '--new-setup-link')
    expect(await renewed.exit).toEqual({ code: 1, signal: null })

    const second = start(folder, '--listen', other)
    const { port } = new URL(await second.ready())
    await expect.poll(() => second.stdout()).toContain(`http://${other}:${port}/`)
    expect(await statusOf(other, port, `${other}:${port}`)).toBe(200)
    expect(await statusOf('127.0.0.1', port, `127.0.0.1:${port}`)).toBe(200)
    // A page of somebody else, whose name leads here.
    for (const host of [`evil.example:${port}`, `127.0.0.3:${port}`, other])
      expect(await statusOf(other, port, host), host).toBe(403)
  })

  test('needs the runtime that can tell callers apart', { tags: 'slow' }, async ({ expect }) => {
    const host = start(await makeDataFolder(), '--runtime', 'workerd', '--listen', other)
    expect(await host.exit).toEqual({ code: 1, signal: null })
    expect(host.stderr()).toBe('--listen needs --runtime node\n')
  })

  test('is needed for a name on the network', async ({ expect }) => {
    const host = start(await makeDataFolder(), '--local-name', 'wharf')
    expect(await host.exit).toEqual({ code: 1, signal: null })
    expect(host.stderr()).toBe('--local-name needs --listen: nobody of the network is let in otherwise\n')
  })

  test.for(['nas', '192.168.1', '', '127.0.0.1:80'])('takes addresses, and not %j', async (text, { expect }) => {
    const host = start(await makeDataFolder(), '--listen', text)
    expect(await host.exit).toEqual({ code: 2, signal: null })
    expect(host.stderr()).toContain('--listen takes an address')
  })

  test('of all addresses is of each that a network has', ({ expect }) => {
    expect(addressesFor('127.0.0.1')).toEqual([])
    expect(addressesFor('192.0.2.7')).toEqual(['192.0.2.7'])
    for (const address of addressesFor('0.0.0.0')) expect(address).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
    for (const address of addressesFor('::')) expect(address).not.toMatch(/^(127\.|::1$|fe80)/)
    expect(hostOf('192.0.2.7', 80)).toBe('192.0.2.7:80')
    expect(hostOf('2001:DB8::1', 8787)).toBe('[2001:db8::1]:8787')
  })

  test('is served at the first start where a file holds the password, which is read this once', async ({ expect }) => {
    const folder = await makeDataFolder()
    const file = path.join(await makeDataFolder(), 'password')
    await writeFile(file, `${password}\n`)
    const first = start(folder, '--listen', other, '--local-name', 'quay', '--owner-password-file', file)
    const origin = await first.ready()
    await expect.poll(() => first.stdout()).toContain('Ready in')
    expect(first.stdout()).not.toContain('setup?code=')
    const { port } = new URL(origin)
    for (const host of [other, 'quay.local']) expect(await statusOf(other, port, `${host}:${port}`)).toBe(200)
    expect(await statusOf(other, port, `pier.local:${port}`)).toBe(403)
    expect(first.stdout()).toContain(`http://quay.local:${port}/`)
    const signIn = (text: string) =>
      fetch(`${origin}/api/console/v1/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ password: text }),
      })
    expect((await signIn(password)).status).toBe(200)
    expect((await signIn('another password')).status).toBe(403)
    first.child.kill('SIGTERM')
    await first.exit

    await rm(file)
    const second = start(folder, '--listen', other, '--owner-password-file', file)
    await second.ready()
  })

  test.for([
    ['short', 'The password in'],
    [undefined, 'cannot be read (ENOENT)'],
    ['x'.repeat(ownerPasswordFileBytesMax + 1), 'is larger than'],
  ])('with a file of it that is no good nobody is let in: %#', async ([text, reason], { expect }) => {
    const file = path.join(await makeDataFolder(), 'password')
    if (text !== undefined) await writeFile(file, text)
    const refused = start(await makeDataFolder(), '--listen', other, '--owner-password-file', file)
    expect(await refused.exit).toEqual({ code: 1, signal: null })
    expect(refused.stderr()).toContain(reason)
    expect(refused.stdout()).not.toContain('Ready in')
  })
})
