import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, test } from 'vitest'
import { endAfterTest, makeDataFolder } from '../../support/data-folder.ts'
import { type HostProcess, startProbe, until } from '../../support/process-host.ts'

async function stop(host: HostProcess): Promise<void> {
  host.child.kill('SIGTERM')
  await host.exit
}

function linkOf(host: HostProcess): string {
  return /^link (.+)$/m.exec(host.stdout())?.[1] ?? 'no line'
}

async function runSql(address: string, sql: string): Promise<void> {
  await fetch(`${address}/sql`, { method: 'POST', body: sql })
}

// Each starts the host several times, which takes seconds where the cores are shared.
describe('secrets of this machine', { timeout: 180_000 }, () => {
  test('are made once, readable by the owner alone, and handed to the script', async ({ expect }) => {
    const folder = await makeDataFolder()
    const file = path.join(folder, 'secrets.json')
    const first = endAfterTest(startProbe(folder))
    const address = await first.ready()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    const made = await readFile(file, 'utf8')
    const secrets = JSON.parse(made)
    expect(Buffer.from(secrets.MASTER_KEY, 'base64')).toHaveLength(32)
    expect(Buffer.from(secrets.SETUP_CODE, 'base64url')).toHaveLength(32)
    expect(Buffer.from(secrets.API_KEY, 'base64url')).toHaveLength(32)
    expect(await (await fetch(`${address}/key`)).text()).toBe(secrets.MASTER_KEY)
    expect(linkOf(first)).toBe(`${address}/#/setup?code=${secrets.SETUP_CODE}`)
    await stop(first)
    const second = endAfterTest(startProbe(folder))
    await second.ready()
    expect(await readFile(file, 'utf8')).toBe(made)
  })

  test('the set-up link is printed until set-up is done, and again when a new one is asked for', async ({ expect }) => {
    const folder = await makeDataFolder()
    const first = endAfterTest(startProbe(folder))
    await first.ready()
    const code = linkOf(first).split('code=')[1]
    await stop(first)
    const second = endAfterTest(startProbe(folder))
    const address = await second.ready()
    expect(linkOf(second).split('code=')[1]).toBe(code)
    await runSql(address, 'INSERT INTO owner (id) VALUES (1)')
    await stop(second)
    const third = endAfterTest(startProbe(folder))
    await third.ready()
    expect(linkOf(third)).toBe('none')
    await stop(third)
    const fourth = endAfterTest(startProbe(folder, ['--new-setup-link']))
    await fourth.ready()
    expect(linkOf(fourth)).toContain('/#/setup?code=')
    expect(linkOf(fourth).split('code=')[1]).not.toBe(code)
  })

  test('a lost master key stops the start while something is sealed with it, and changes nothing', async ({
    expect,
  }) => {
    const folder = await makeDataFolder()
    const file = path.join(folder, 'secrets.json')
    const first = endAfterTest(startProbe(folder))
    const address = await first.ready()
    const oldKey = JSON.parse(await readFile(file, 'utf8')).MASTER_KEY
    await runSql(address, "INSERT INTO key_check (id, sealed) VALUES (1, 'x')")
    await runSql(address, "INSERT INTO downloaders (id, name, sealed_password) VALUES (1, 'nas-1', 'sealed')")
    await stop(first)
    await rm(file)

    const refused = endAfterTest(startProbe(folder))
    expect(await refused.exit).toEqual({ code: 1, signal: null })
    expect(refused.stderr()).toMatch(/^The master key is gone: .+secrets\.json is missing.+--new-master-key.+\n$/)
    await expect(stat(file)).rejects.toThrow('ENOENT')

    const renewed = endAfterTest(startProbe(folder, ['--new-master-key']))
    await renewed.ready()
    expect(renewed.stdout()).toContain('passwords of downloaders: nas-1')
    expect(JSON.parse(await readFile(file, 'utf8')).MASTER_KEY).not.toBe(oldKey)
    await stop(renewed)
    const next = endAfterTest(startProbe(folder))
    await next.ready()
  })

  test('a lost file is made anew while nothing is sealed with it', async ({ expect }) => {
    const folder = await makeDataFolder()
    const first = endAfterTest(startProbe(folder))
    await first.ready()
    await stop(first)
    await rm(path.join(folder, 'secrets.json'))
    const second = endAfterTest(startProbe(folder))
    await second.ready()
    expect(linkOf(second)).toContain('code=')
  })

  test.for(['', '{', '[]', '{"MASTER_KEY":"c2hvcnQ=","SETUP_CODE":"x","API_KEY":"y"}'])(
    'a damaged file (%j) stops the start and is left as it is',
    async (text, { expect }) => {
      const folder = await makeDataFolder()
      const file = path.join(folder, 'secrets.json')
      await writeFile(file, text)
      const host = endAfterTest(startProbe(folder))
      expect(await host.exit).toEqual({ code: 1, signal: null })
      expect(host.stderr()).toMatch(/^.+secrets\.json is damaged; .+\n$/)
      expect(await readFile(file, 'utf8')).toBe(text)
    },
  )

  test('what the script logs is printed as one line without the secrets', async ({ expect }) => {
    const folder = await makeDataFolder()
    const host = endAfterTest(startProbe(folder))
    const address = await host.ready()
    await fetch(`${address}/log`, { method: 'POST', body: 'first\nforged \u001b[31mred' })
    await until(() => host.stdout().includes('forged'))
    expect(host.stdout()).toContain('first\\nforged \\u001b[31mred [secret]\n')
    const { MASTER_KEY } = JSON.parse(await readFile(path.join(folder, 'secrets.json'), 'utf8'))
    expect(host.stdout()).not.toContain(MASTER_KEY)
  })
})
