/** Flags, variables and the file: each alone, which of them stands before which, and what is refused. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, test } from 'vitest'
import { configFileBytesMax } from '../../../local/configuration/limits.ts'
import { keyOf, type Setting, settings, variableOf } from '../../../local/configuration/settings.ts'
import { saySettingsFault } from '../../../local/configuration/settings-fault.ts'
import { parseServeFlags, type ServeFlags, serveUsage } from '../../../local/serve-flags.ts'
import { makeDataFolder } from '../../support/data-folder.ts'
import { unwrap } from '../../support/unwrap.ts'

const root = path.resolve(import.meta.dirname, '../../..')

function read(args: readonly string[], environment: Readonly<Record<string, string>> = {}): ServeFlags {
  return unwrap(parseServeFlags(args, environment))
}

function refusal(args: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  const parsed = parseServeFlags(args, environment)
  return parsed.ok ? '' : saySettingsFault(parsed.failure)
}

async function fileWith(text: string): Promise<string> {
  const file = path.join(await makeDataFolder(), 'wharf.toml')
  await writeFile(file, text)
  return file
}

describe('a setting', () => {
  test('of a flag stands before a variable, a variable before the file, the file before what is by default', async ({
    expect,
  }) => {
    const file = await fileWith('port = 9003\nagent_port = 9013\nallow_host = ["file.example"]\n')
    const variables = { WHARF_CONFIG: file, WHARF_PORT: '9002', WHARF_ALLOW_HOST: 'one.example two.example' }
    const flags = read(['--port', '9001'], variables)
    expect(flags.ports).toEqual({
      port: { port: 9001, isAsked: true },
      'agent-port': { port: 9013, isAsked: true },
      'viewer-port': { port: 4747, isAsked: false },
    })
    expect(flags.extraHosts).toEqual(['one.example', 'two.example'])
    expect(read(['--allow-host', 'flag.example'], variables).extraHosts).toEqual(['flag.example'])
    expect(read([], { WHARF_CONFIG: file }).extraHosts).toEqual(['file.example'])
    expect(read([], { ...variables, WHARF_PORT: ' ' }).ports.port.port).toBe(9003)
  })

  const samples: Readonly<Record<Setting['kind'], readonly [flag: string, toml: string]>> = {
    text: ['', ''],
    list: ['', ''],
    number: ['1', '1'],
    switch: ['', 'true'],
  }
  const values: Readonly<Record<string, string>> = {
    data: '/srv/wharf',
    without: 'agent',
    listen: '127.0.0.2',
    'local-name': 'wharf',
    'owner-password-file': '/srv/password',
    'allow-host': 'nas.example',
    'public-url': 'https://wharf.example',
    'api-origin': 'https://panel.example',
    'trusted-proxy': '10.0.0.0/8',
    'time-zone': 'Europe/Paris',
    'backup-bucket': 'https://s3.example/bucket/wharf',
    'backup-region': 'eu-west-3',
    runtime: 'workerd',
  }
  test.for(Object.entries<Setting>(settings))(
    '%s means the same as a flag, a variable and a line of the file',
    async ([name, { kind }], { expect }) => {
      const value = values[name] ?? samples[kind][0]
      const flag = read(kind === 'switch' ? [`--${name}`] : [`--${name}`, value])
      expect(flag).not.toEqual(read([]))
      expect(read([], { [variableOf(name)]: kind === 'switch' ? 'yes' : value })).toEqual(flag)
      const text = kind === 'text' ? `"${value}"` : kind === 'list' ? `["${value}"]` : samples[kind][1]
      expect(read(['--config', await fileWith(`${keyOf(name)} = ${text}\n`)])).toEqual(flag)
    },
  )

  test('that is switched off in a variable is off, whatever the file says', async ({ expect }) => {
    const file = await fileWith('no_backups = true\n')
    expect(read(['--config', file]).areBackupsMade).toBe(false)
    for (const off of ['no', 'false', 'OFF', '0'])
      expect(read(['--config', file], { WHARF_NO_BACKUPS: off }).areBackupsMade, off).toBe(true)
  })

  test('of the file names its places beside the file', async ({ expect }) => {
    const file = await fileWith('data = "kept"\nowner_password_file = "password"\n')
    const folder = path.dirname(file)
    expect(read(['--config', file])).toMatchObject({
      dataFolder: path.join(folder, 'kept'),
      ownerPasswordFile: path.join(folder, 'password'),
    })
  })
})

describe('is refused, by the name it was written under:', () => {
  test.for<[string[], Record<string, string>, string]>([
    [
      ['--backup-bucket', 'https://s3.example/'],
      {},
      '--backup-bucket takes an address such as https://s3.example/bucket/wharf, not "https://s3.example/"',
    ],
    [['--backup-region', 'EU west'], {}, '--backup-region takes the name of a region, not "EU west"'],
    [
      ['--local-name', 'wharf.local'],
      {},
      '--local-name takes a name of letters, digits and hyphens such as wharf, not "wharf.local"',
    ],
    [['--log-files', '100'], {}, '--log-files takes a whole number from 0 to 99, not "100"'],
    [['--log-size', '0'], {}, '--log-size takes a whole number from 1 to 4096, not "0"'],
    [['--log-size', '4097'], {}, '--log-size takes a whole number from 1 to 4096, not "4097"'],
    [['--port', '65536'], {}, '--port takes a whole number from 0 to 65535, not "65536"'],
    [[], { WHARF_PORT: '8o' }, 'WHARF_PORT takes a whole number'],
    [[], { WHARF_NO_AUTH: 'maybe' }, 'WHARF_NO_AUTH takes yes or no, not "maybe"'],
    [['--data', ' '], {}, '--data takes the path of a folder'],
    [['--without', 'agent,console'], {}, '--without takes agent, viewer or both, not "agent,console"'],
    [['--listen', 'nas'], {}, '--listen takes an address of this machine'],
    [['--allow-host', 'a b'], {}, '--allow-host takes a host name'],
    [[], { WHARF_PUBLIC_URL: 'ftp://x' }, 'WHARF_PUBLIC_URL takes an address such as https://wharf.example'],
    [
      ['--public-url', 'https://nas.example/api'],
      {},
      '--public-url takes an address such as https://wharf.example, or with a path that is none of the service’s own such as https://nas.example/wharf, not "https://nas.example/api"',
    ],
    [
      ['--public-url', 'https://nas.example/wharf', '--runtime', 'workerd'],
      {},
      'https://nas.example/wharf has a path, which needs the runtime node: workerd serves at the root of a name alone',
    ],
    [
      ['--public-url', 'https://nas.example/wharf', '--public-url', 'https://NAS.example:443'],
      {},
      'https://nas.example/wharf and https://nas.example have the same name: there is one address under each',
    ],
    [['--api-origin', 'https://panel.example/page'], {}, '--api-origin takes an address'],
    [['--api-origin', 'x'], {}, '--api-origin takes an address'],
    [['--trusted-proxy', 'x'], {}, '--trusted-proxy takes an address or a network'],
    [['--time-zone', 'Europe/Atlantis'], {}, '--time-zone takes the name of a time zone such as Europe/Paris'],
    [['--runtime', 'deno'], {}, '--runtime takes node or workerd, not "deno"'],
    [['--prot', '1'], {}, "Unknown option '--prot'"],
    [['extra'], {}, 'Unexpected argument'],
    [['--config', '/nowhere/wharf.toml'], {}, '/nowhere/wharf.toml cannot be read (there is none)'],
  ])('%j with %j', ([args, variables, reason], { expect }) => {
    expect(refusal(args, variables)).toContain(reason)
  })

  test.for<[text: string, reason: string]>([
    ['prot = 1', 'there is no setting prot; did you mean port?'],
    ['new_setup_link = true', 'there is no setting new_setup_link'],
    ['port = "8787"', 'port is a number'],
    ['port = 70000', 'port takes a whole number from 0 to 65535, not "70000"'],
    ['listen = 1', 'listen is a text in quotation marks'],
    ['no_auth = "yes"', 'no_auth is true or false'],
    ['allow_host = "nas"', 'allow_host is a list of texts in brackets'],
    ['allow_host = ["nas", 1]', 'allow_host is a list of texts in brackets'],
    ['port = 1\nport = 2', 'line 2'],
    ['port = ', 'line 1'],
  ])('a file with %j', async ([text, reason], { expect }) => {
    const file = await fileWith(`${text}\n`)
    expect(refusal(['--config', file])).toContain(reason)
  })

  test('a file past its bound, and not one at it', async ({ expect }) => {
    const line = 'port = 9000\n'
    const at = `${line}#${' '.repeat(configFileBytesMax - line.length - 1)}`
    expect(read(['--config', await fileWith(at)]).ports.port.port).toBe(9000)
    const past = parseServeFlags(['--config', await fileWith(`${at} `)], {})
    expect(past).toMatchObject({ ok: false, failure: { kind: 'file_large', bytesMax: configFileBytesMax } })
  })
})

describe('wharf config', () => {
  const config = (args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, [path.join(root, 'bin/wharf.mjs'), 'config', ...args], {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...env },
    })

  test('says what is set and from where, reads the file of its folder, and starts nothing', async ({ expect }) => {
    const file = await fileWith('listen = "0.0.0.0"\nport = 9001\n')
    const { status, stdout } = config(['--without', 'agent'], path.dirname(file), { WHARF_PORT: '9002' })
    expect(status).toBe(0)
    expect(stdout.split('\n')).toEqual([
      `File: ${file}`,
      'port = 9002 (WHARF_PORT)',
      'without = agent (--without)',
      'listen = 0.0.0.0 (the file)',
      'Everything else is as it is by default.',
      '',
    ])
  })

  test('ends with 2 where a start would be refused', async ({ expect }) => {
    const file = await fileWith('listen = "nas"\n')
    const { status, stderr } = config([], path.dirname(file))
    expect([status, stderr]).toEqual([2, expect.stringContaining('listen takes an address of this machine')])
  })
})

describe('docs/configuration.md', () => {
  const page = readFileSync(path.join(root, 'docs/configuration.md'), 'utf8')
  test('has a row for each setting, with its three names and what it does', ({ expect }) => {
    const rows = Object.entries<Setting>(settings).map(([name, { value, about }]) => {
      const flag = value === undefined ? `--${name}` : `--${name} ${value}`
      return `| \`${flag}\` | \`${variableOf(name)}\` | \`${keyOf(name)}\` | ${about} |`
    })
    const written = page.split('\n').filter((line) => line.startsWith('| `--'))
    expect(written.map((line) => line.replace(/ +/g, ' '))).toEqual(rows)
  })

  test('shows a file that is taken as it stands', async ({ expect }) => {
    const [, sample = ''] = /^```toml\n(.*?)^```$/ms.exec(page) ?? []
    expect(sample).not.toBe('')
    expect(parseServeFlags(['--config', await fileWith(sample)], {})).toMatchObject({ ok: true })
  })

  test('and --help name the same settings', ({ expect }) => {
    const usage = serveUsage({})
    for (const [name, { about }] of Object.entries(settings)) {
      expect(usage).toContain(`--${name}`)
      expect(usage).toContain(about)
    }
  })
})
