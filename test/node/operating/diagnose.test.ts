/** What is packed for somebody who helps: enough to go by, and none of what was planted as a secret. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, test } from 'vitest'
import { readArchive } from '../../../local/backup/archive.ts'
import { diagnosticsLinesMax } from '../../../local/operating/limits.ts'
import { makeDataFolder } from '../../support/data-folder.ts'
import { ownerOf, startWharf, tokenOf } from '../../support/running-wharf.ts'

const wharf = path.resolve(import.meta.dirname, '../../..', 'bin/wharf.mjs')

async function unpack(file: string): Promise<ReadonlyMap<string, string>> {
  const parts = new Map<string, string>()
  const bytes = (async function* () {
    yield gunzipSync(readFileSync(file))
  })()
  for await (const { path: name, content } of readArchive(bytes)) {
    let text = ''
    for await (const piece of content) text += piece.toString()
    parts.set(name, text)
  }
  return parts
}

const planted = {
  cookie: 'c_secure_pass=quayside',
  environment: 'env-held-secret-text',
  passPhrase: 'four tides and a mooring',
  referred: 'seven gulls over nets',
  passkey: '0123456789abcdef0123456789abcdef',
  inLog: 'Bearer abcdefgh12345678',
}

describe('diagnostics', { timeout: 120_000 }, () => {
  test('of a running service tell what it is and how it is, and none of its secrets', { tags: 'slow' }, async ({
    expect,
  }) => {
    const folder = await makeDataFolder()
    const service = await startWharf(folder, ['--without', 'agent,viewer', '--no-sandbox'])
    try {
      const owner = await ownerOf(service)
      const token = (await tokenOf(service, owner, ['app:read']))['authorization']?.slice('Bearer '.length) ?? ''
      const log = path.join(folder, 'logs', 'wharf.log')
      mkdirSync(path.dirname(log), { recursive: true })
      const said = {
        address: `https://tracker.example/a?passkey=${planted.passkey}`,
        cookie: planted.cookie,
        words: `${planted.inLog} ${planted.environment} ${planted.passPhrase} ${planted.referred} ${service.setupCode} ${token}`,
      }
      const lines = Array.from({ length: diagnosticsLinesMax + 1 }, (_, n) => JSON.stringify({ event: 'line', n }))
      appendFileSync(log, `${[...lines, JSON.stringify({ event: 'planted', ...said })].join('\n')}\n`)
      const settings = path.join(folder, 'own.toml')
      writeFileSync(path.join(folder, 'quay.txt'), planted.referred)
      writeFileSync(settings, `log_files = 3\n[[downloaders]]\nname = "a"\npassword = { file = "quay.txt" }\n`)
      const args = ['diagnose', folder, '--data', folder, '--config', settings]
      const ran = spawnSync(process.execPath, [wharf, ...args], {
        encoding: 'utf8',
        env: {
          ...process.env,
          APP_API_KEY: planted.environment,
          WHARF_BACKUP_PASS_PHRASE: planted.passPhrase,
        },
      })
      expect(ran.stderr).toBe('')
      const file = ran.stdout.split('\n')[0] ?? ''
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const parts = await unpack(file)
      const whole = [...parts.values()].join('\n')
      const kept = Object.values(JSON.parse(readFileSync(path.join(folder, 'secrets.json'), 'utf8')) as object)
      for (const secret of [...Object.values(planted), ...kept, token]) expect(whole).not.toContain(secret)

      const read = (name: string) => JSON.parse(parts.get(name) ?? '')
      expect(read('about.json')).toMatchObject({ node: process.version, platform: process.platform })
      expect(read('settings.json')).toMatchObject({
        settings: { 'log-files': { values: ['3'], from: 'file' } },
        declared: { downloaders: 1 },
        variables: expect.arrayContaining(['APP_API_KEY', 'WHARF_BACKUP_PASS_PHRASE']),
      })
      expect(read('data.json')).toMatchObject({ rows: { owner: 1 } })
      expect(read('service.json')).toMatchObject({ running: true, readiness: { status: 200 } })
      expect(parts.get('metrics.txt')).toContain('wharf_info{')
      const told = (parts.get('log.jsonl') ?? '').trimEnd().split('\n')
      expect(told).toHaveLength(diagnosticsLinesMax)
      expect(JSON.parse(told[0] ?? '')).toMatchObject({ n: 2 })
      expect(JSON.parse(told.at(-1) ?? '')).toMatchObject({ event: 'planted' })
    } finally {
      await service.stop()
    }
  })

  test('of a folder where nothing runs are made as well, and overwrite nothing', async ({ expect }) => {
    const folder = await makeDataFolder()
    const file = path.join(folder, 'd.tar.gz')
    const run = () => spawnSync(process.execPath, [wharf, 'diagnose', file, '--data', folder], { encoding: 'utf8' })
    expect(run().status).toBe(0)
    expect(JSON.parse((await unpack(file)).get('service.json') ?? '')).toEqual({ running: false })
    const again = run()
    expect([again.status, again.stderr]).toEqual([2, `${file} is there already\n`])
  })
})
