/** What the file declares: how it is read, what of it is refused, and a service that is made from it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, test } from 'vitest'
import { failWith } from '#shared/kernel/result.ts'
import { readDeclaration } from '../../../local/configuration/declared.ts'
import { secretFileBytesMax } from '../../../local/configuration/limits.ts'
import { readSettings } from '../../../local/configuration/read-settings.ts'
import { sayDeclarationFault, saySettingsFault } from '../../../local/configuration/settings-fault.ts'
import { generateClient } from '../../../scripts/client/generate.ts'
import { librariesMax } from '../../../workers/app/limits.ts'
import { makeDataFolder } from '../../support/data-folder.ts'
import { ownerOf, startWharf } from '../../support/running-wharf.ts'

const root = path.resolve(import.meta.dirname, '../../..')

async function declaredIn(text: string, environment: Readonly<Record<string, string>> = {}) {
  const folder = await makeDataFolder()
  const file = path.join(folder, 'wharf.toml')
  await writeFile(file, text)
  await writeFile(path.join(folder, 'kept'), 'from a file\n')
  await writeFile(path.join(folder, 'empty'), '\n')
  await writeFile(path.join(folder, 'large'), 'x'.repeat(secretFileBytesMax + 1))
  const settings = readSettings(['--config', file], environment)
  if (!settings.ok) return failWith(saySettingsFault(settings.failure))
  const read = await readDeclaration(settings.value.declares, environment)
  return read.ok ? read : failWith(sayDeclarationFault(read.failure))
}

const qb = '[[downloaders]]\nname = "qb"\ntype = "qbittorrent"\naddress = "http://127.0.0.1:8080"\n'
const alpha = '[[sites]]\nname = "alpha"\nkind = "unit3d"\naddress = "https://alpha.example"\n'
const pocket = (token: string) =>
  `[[channels]]\nname = "Pocket"\ntype = "ntfy"\nfields = { topic = "harbour", token = ${token} }\n`
const film = (name: string) =>
  `[[libraries]]\nname = "${name}"\nmedia_type = "movie"\npath = "/srv/films"\nmode = "move"\n`

describe('an entry', () => {
  test('has its secrets from variables and from files beside the file', async ({ expect }) => {
    const text = `${qb}password = { file = "kept" }\n${alpha}api_key = { env = "ALPHA_KEY" }\n`
    expect(await declaredIn(text, { ALPHA_KEY: 'a key' })).toMatchObject({
      ok: true,
      value: {
        downloaders: [{ name: 'qb', password: 'from a file', username: '', enabled: true, default: false }],
        sites: [{ name: 'alpha', api_key: 'a key', enabled: true, auto_sign_in: false }],
        libraries: [],
        channels: [],
      },
    })
  })

  test('of a service has its secrets so too, and what is none as it is', async ({ expect }) => {
    expect(await declaredIn(pocket('{ file = "kept" }'))).toMatchObject({
      value: { channels: [{ type: 'ntfy', fields: { topic: 'harbour', token: 'from a file' } }] },
    })
    const page = readFileSync(path.join(root, 'docs/channels.md'), 'utf8')
    const [, text = ''] = /^```toml\n(.*?)^```$/ms.exec(page) ?? []
    expect(await declaredIn(text, { NTFY_TOKEN: 'a token' })).toMatchObject({
      value: { channels: [{ fields: { token: 'a token' } }] },
    })
  })

  test('of docs/configuration.md is taken as it stands', async ({ expect }) => {
    const page = readFileSync(path.join(root, 'docs/configuration.md'), 'utf8')
    const [, text = ''] = /^```toml\n(# wharf.toml, below.*?)^```$/ms.exec(page) ?? []
    const read = await declaredIn(text.replace('secrets/seedbox', 'kept'), { ALPHA_KEY: 'a', BOT_TOKEN: 'b' })
    expect(read.ok && Object.values(read.value ?? {}).map(({ length }) => length)).toEqual([1, 1, 1, 1])
  })

  test('is none where the file has settings alone', async ({ expect }) => {
    expect(await declaredIn('port = 9000\n')).toEqual({ ok: true, value: undefined })
  })

  test('there are as many of as the service takes, and not one more', async ({ expect }) => {
    const many = (count: number) => declaredIn(Array.from({ length: count }, (_, at) => film(`${at}`)).join(''))
    expect(await many(librariesMax)).toMatchObject({ ok: true })
    expect(await many(librariesMax + 1)).toEqual({
      ok: false,
      failure: expect.stringContaining(`libraries: there can be ${librariesMax} at most`),
    })
  })

  test.for([
    ['an unknown kind', '[[downloader]]\nname = "x"\n', 'there is no setting downloader; did you mean downloaders?'],
    ['a kind that is no list', 'sites = 1\n', 'sites: each of them begins with [[sites]]'],
    ['an unknown field', `${alpha}api_kye = 1\n`, 'sites 1 (alpha): there is no field api_kye; did you mean api_key?'],
    ['a field far from any', `${alpha}colour_of_it = 1\n`, 'sites 1 (alpha): there is no field colour_of_it'],
    ['a secret as it is', `${qb}password = "plain"\n`, 'downloaders 1 (qb): password: say where it is'],
    ['a secret of a service as it is', pocket('"plain"'), 'channels 1 (Pocket): fields.token: say where it is'],
    ['a variable that is not set', `${qb}password = { env = "GONE" }\n`, 'password: there is no variable GONE'],
    ['a file that is not there', `${qb}password = { file = "gone" }\n`, 'gone cannot be read (there is none)'],
    ['a file without anything', `${qb}password = { file = "empty" }\n`, 'empty is empty'],
    [
      'a file past its bound',
      `${qb}password = { file = "large" }\n`,
      `large is larger than ${secretFileBytesMax} bytes`,
    ],
    ['a wrong value', qb.replace('qbittorrent', 'floppy'), 'downloaders 1 (qb): type: '],
    ['no name', '[[sites]]\nkind = "unit3d"\naddress = "https://a.example"\n', 'sites 1: name: '],
    ['a name twice', `${film('Films')}${film('Films')}`, 'libraries 2 (Films): another one before it has this name'],
  ] as const)('with %s is refused, by its place', async ([, text, reason], { expect }) => {
    expect(await declaredIn(text)).toEqual({ ok: false, failure: expect.stringContaining(reason) })
  })
})

// Nine programs, one after another.
const machineMsMax = 240_000

test('a machine is made from its file, compared with it, and made again', { timeout: machineMsMax }, async ({
  expect,
}) => {
  const dataFolder = await makeDataFolder()
  const file = path.join(dataFolder, 'wharf.toml')
  const text = `${qb}password = { file = "qb.password" }\n${film('Films')}`
  await writeFile(file, text)
  await writeFile(path.join(dataFolder, 'qb.password'), 'a secret of the file\n')
  const config = async (command: string) => {
    const args = [path.join(root, 'bin/wharf.mjs'), 'config', command, '--data', dataFolder, '--config', file]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece))
    const [status] = await once(child, 'close')
    return [status, said]
  }
  expect(await config('diff')).toEqual([2, expect.stringContaining('it applies the file when it starts')])

  const first = await startWharf(dataFolder, ['--config', file])
  try {
    expect(first.said()).toContain('Configuration file: + downloader qb\n')
    const page = await ownerOf(first)
    const { body } = await first.request('GET', '/api/console/v1/downloaders', page)
    expect(body.items).toMatchObject([{ name: 'qb', has_password: true, from_file: true }])
    expect(await config('diff')).toEqual([0, 'Everything is as the file declares it.\n'])

    // A script sees the same, by the client that the package brings.
    const made = { name: 'script', scopes: ['app:configure'], lifetime: '30d' }
    const { body: token } = await first.request('POST', '/api/console/v1/tokens', page, made)
    await generateClient(dataFolder)
    const { createClient } = await import(pathToFileURL(path.join(dataFolder, 'index.mjs')).href)
    const client = createClient({ address: first.origin, token: token.text })
    const { items } = await client.listConsoleDownloaders()
    expect(items).toMatchObject([{ name: 'qb', from_file: true }])
    const refused = client.removeDownloader({ params: { id: items[0].id } })
    await expect(refused).rejects.toMatchObject({ status: 403, reason: { kind: 'from_file' } })
    await expect(client.getMeta()).rejects.toMatchObject({ status: 403, code: 'forbidden' })

    await writeFile(file, `${text.replace('8080', '8081')}${alpha}`)
    const wanted = '~ downloader qb: address\n+ site alpha\n'
    expect(await config('diff')).toEqual([1, wanted])
    expect(await config('diff')).toEqual([1, wanted])
    expect(await config('apply')).toEqual([0, wanted])
    expect(await config('apply')).toEqual([0, 'Everything is as the file declares it.\n'])
    expect(first.said()).not.toContain('a secret of the file')
  } finally {
    await first.stop()
  }

  const second = await startWharf(dataFolder)
  try {
    expect(second.said()).toContain('Configuration file: - site alpha (stays, no longer the file’s)')
    const { body } = await second.request('GET', '/api/console/v1/sites', await ownerOf(second))
    expect(body.items).toMatchObject([{ name: 'alpha' }])
    expect(body.items[0].from_file).toBeUndefined()
  } finally {
    await second.stop()
  }
})
