/** Backups in a bucket of the S3 kind: signed, sent in parts, tried again, put back, and no more of them than may be. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, onTestFinished, test } from 'vitest'
import { planAway } from '../../../local/backup/away.ts'
import { sayBucketStartFault } from '../../../local/backup/backup-fault.ts'
import { Bucket, type BucketOptions } from '../../../local/backup/bucket.ts'
import { defaultRegion, readBucketAddress } from '../../../local/backup/bucket-address.ts'
import { openBucket } from '../../../local/backup/compose.ts'
import { BackupKeeper } from '../../../local/backup/keeper.ts'
import { askedKept, bucketTries } from '../../../local/backup/limits.ts'
import { nameFor, readName } from '../../../local/backup/shelf.ts'
import { nodeDigests } from '../../../local/gateway/node-platform.ts'
import type { WireBackup } from '../../../workers/app/contract/console-backups.ts'
import { RequestSigner } from '../../../workers/gateway/adapters/request-signer.ts'
import { startBucketStandIn } from '../../support/bucket-stand-in.ts'
import { endAfterTest, makeDataFolder } from '../../support/data-folder.ts'
import { startServe } from '../../support/process-host.ts'

const credentials = { accessKeyId: 'AKIDHARBOUR', secretAccessKey: 'lantern+quay/secret' }
const bucketName = 'harbour'
const partBytes = 1_000
const passPhrase = 'four tides and a mooring'

const signerAt = (nowMs: () => number = Date.now) => new RequestSigner(nodeDigests, { nowMs })

async function opened(options: Partial<BucketOptions> = {}, prefix = 'wharf') {
  const standIn = await startBucketStandIn({
    bucket: bucketName,
    region: defaultRegion,
    credentials,
    partBytesMin: partBytes,
  })
  onTestFinished(() => standIn.close())
  const address = readBucketAddress(`${standIn.address}/${prefix}`)
  if (address === undefined) throw new Error('no address')
  const bucket = new Bucket({
    address,
    region: defaultRegion,
    credentials,
    partBytes,
    signer: signerAt(),
    waitMs: 1,
    ...options,
  })
  const folder = await makeDataFolder()
  const fileOf = (bytes: number) => {
    const file = path.join(folder, `of-${bytes}`)
    writeFileSync(file, Buffer.alloc(bytes, 'wharf'))
    return file
  }
  return { standIn, bucket, folder, fileOf }
}

describe('the signature', () => {
  // Published with the interface: "Authenticating Requests: Using the Authorization Header", examples of GET.
  const signer = signerAt(() => Date.UTC(2013, 4, 24))
  const example = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  test.for([
    ['/test.txt', { range: 'bytes=0-9' }, 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
    ['/?lifecycle=', {}, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    ['/?max-keys=2&prefix=J', {}, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ] as const)('of %s is the published one', async ([target, headers, signature], { expect }) => {
    const url = `https://examplebucket.s3.amazonaws.com${target}`
    const signed = await signer.sign({ method: 'GET', url, headers, body: '' }, example, 'us-east-1', 's3')
    expect(signed['authorization']).toContain(`Signature=${signature}`)
  })
})

describe('the address of a bucket', () => {
  test.for([
    ['https://s3.example/harbour', { bucket: 'https://s3.example/harbour', prefix: '' }],
    ['http://127.0.0.1:9000/harbour/', { bucket: 'http://127.0.0.1:9000/harbour', prefix: '' }],
    ['https://s3.example/harbour/of/wharf', { bucket: 'https://s3.example/harbour', prefix: 'of/wharf/' }],
    ['https://s3.example/', undefined],
    ['https://s3.example/a b', undefined],
    ['https://s3.example/harbour/%2e%2e', undefined],
    ['https://s3.example/harbour?x=1', undefined],
    ['https://user:word@s3.example/harbour', undefined],
    ['s3://harbour', undefined],
    ['harbour', undefined],
  ] as const)('%s', ([text, address], { expect }) => {
    expect(readBucketAddress(text)).toEqual(address)
  })

  const address = 'https://s3.example/harbour'
  const key = { WHARF_BACKUP_KEY_ID: 'a', WHARF_BACKUP_KEY_SECRET: 'b' }
  test.for([
    ['no address', undefined, {}, undefined, undefined],
    ['no key', address, { WHARF_BACKUP_KEY_ID: 'a' }, passPhrase, 'set the variables WHARF_BACKUP_KEY_ID and'],
    ['nothing to seal with', address, key, undefined, 'set a pass phrase for it (WHARF_BACKUP_PASS_PHRASE)'],
    ['no bucket', 'https://s3.example/', key, passPhrase, 'A bucket is an address such as'],
  ] as const)('with %s', ([, at, environment, phrase, why], { expect }) => {
    const found = openBucket({ address: at, region: defaultRegion }, environment, phrase)
    if (why === undefined) expect(found).toEqual({ ok: true, value: undefined })
    else expect(found.ok ? '' : sayBucketStartFault(found.failure)).toContain(why)
  })
})

describe('a bucket', () => {
  test.for([
    ['an empty file', 0, 1],
    ['a file of one part', partBytes, 1],
    ['a file a byte larger', partBytes + 1, 4],
    ['a file of many parts', 12 * partBytes, 14],
  ] as const)('takes and gives back %s', async ([, bytes, requests], { expect }) => {
    const { standIn, bucket, folder, fileOf } = await opened()
    const file = fileOf(bytes)
    await bucket.put('one', file)
    expect(standIn.asked).toHaveLength(requests)
    expect(standIn.uploads.size).toBe(0)
    await bucket.get('one', path.join(folder, 'back'))
    expect(readFileSync(path.join(folder, 'back')).equals(readFileSync(file))).toBe(true)
    expect(await bucket.list()).toEqual([{ name: 'one', bytes }])
    await bucket.delete('one')
    expect(standIn.objects.size).toBe(0)
  })

  test('is listed over many pages, without what lies elsewhere', async ({ expect }) => {
    const { standIn, bucket } = await opened()
    standIn.pageKeys = 2
    for (const key of ['wharf/a', 'wharf/b', 'wharf/c', 'wharf/d', 'wharf/e', 'wharf/below/x', 'other', 'wharf-2'])
      standIn.objects.set(key, Buffer.from(key))
    expect((await bucket.list()).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test.for([
    ['a wrong key', { credentials: { ...credentials, secretAccessKey: 'other' } }, '403: SignatureDoesNotMatch'],
    ['an unknown key', { credentials: { ...credentials, accessKeyId: 'OTHER' } }, '403: InvalidAccessKeyId'],
    ['a wrong region', { region: 'eu-west-3' }, '400: AuthorizationHeaderMalformed'],
    ['a clock that is wrong', { signer: signerAt(() => Date.now() - 16 * 60_000) }, '403: RequestTimeTooSkewed'],
  ] as const)('says what is wrong with %s, and is asked once', async ([, options, why], { expect }) => {
    const { standIn, bucket } = await opened(options)
    await expect(bucket.list()).rejects.toThrow(why)
    expect(standIn.asked).toEqual([])
  })

  test('says that an object is not there', async ({ expect }) => {
    const { bucket, folder } = await opened()
    await expect(bucket.get('gone', path.join(folder, 'back'))).rejects.toThrow('404: NoSuchKey')
  })

  test('is asked again for what may go well later, and no more often than it may', async ({ expect }) => {
    const { standIn, bucket, fileOf } = await opened()
    const file = fileOf(2 * partBytes)
    standIn.faults.push(503, 'break', 500)
    await bucket.put('one', file)
    expect(standIn.objects.get('wharf/one')?.length).toBe(2 * partBytes)
    standIn.faults.push(...Array.from({ length: bucketTries }, () => 503))
    await expect(bucket.list()).rejects.toThrow('503: SlowDown')
    expect(standIn.faults).toEqual([])
  })

  test('keeps nothing of what could not be put together', async ({ expect }) => {
    const { standIn, bucket, fileOf } = await opened({ partBytes: partBytes - 1 })
    await expect(bucket.put('one', fileOf(2 * partBytes))).rejects.toThrow('400: EntityTooSmall')
    expect(standIn.uploads.size).toBe(0)
    expect(standIn.objects.size).toBe(0)
  })

  test('that nobody answers for is named', async ({ expect }) => {
    const { standIn, bucket } = await opened()
    await standIn.close()
    await expect(bucket.list()).rejects.toThrow('cannot be reached (ECONNREFUSED)')
  })
})

describe('what is sent', () => {
  const nameAt = (at: number) => nameFor(at, 'asked', true, () => false)
  const shelved = (at: number) => ({
    ...(readName(nameAt(at)) ?? { name: '', atUnix: 0, reason: 'asked' as const }),
    bytes: 5,
  })
  const kept = (at: number, isSealed = true) => ({ ...shelved(at), isSealed })

  test('is what is sealed and not there, whole', ({ expect }) => {
    const there = [shelved(1), { ...shelved(2), bytes: 4 }]
    const { send, remove } = planAway([kept(1), kept(2), kept(3), kept(4, false)], there)
    expect(send.map(({ atUnix }) => atUnix)).toEqual([2, 3])
    expect(remove).toEqual([])
  })

  test('makes room by the rule of the shelf, for as many as may be and one more', ({ expect }) => {
    const there = Array.from({ length: askedKept }, (_, at) => shelved(at + 1))
    expect(planAway([], there)).toEqual({ send: [], remove: [] })
    const { send, remove } = planAway([kept(askedKept + 1), kept(0)], there)
    expect([send, remove].map((all) => all.map(({ atUnix }) => atUnix))).toEqual([[askedKept + 1], [1]])
  })

  test('goes there with each backup, and again after the bucket was away', async ({ expect }) => {
    const { standIn, bucket } = await opened()
    const dataFolder = await makeData()
    const said: string[] = []
    const keeper = new BackupKeeper({
      dataFolder,
      version: '1',
      passPhrase,
      now: () => Date.now(),
      log: (line) => said.push(line),
      bucket,
    })
    standIn.objects.set('wharf/not-a-backup', Buffer.from('mine'))
    standIn.faults.push(...Array.from({ length: bucketTries }, () => 503))
    const made = await keeper.make('asked')
    await expect.poll(() => keeper.awayFault).toMatchObject({ words: expect.stringContaining('503: SlowDown') })
    expect(said.join()).toContain('backup_not_sent')
    await keeper.send()
    expect(keeper.awayFault).toBeUndefined()
    const name = made.ok ? made.value.name : ''
    expect([...standIn.objects.keys()].sort()).toEqual(['wharf/not-a-backup', `wharf/${name}`])
    expect(keeper.away?.names).toEqual(new Set([name]))
  })
})

async function makeData(): Promise<string> {
  const folder = await makeDataFolder()
  const file = path.join(folder, 'state', 'd1', 'x', 'main.sqlite')
  mkdirSync(path.dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE t (v TEXT); BEGIN')
  const insert = database.prepare('INSERT INTO t VALUES (?)')
  for (let row = 0; row < 5_000; row += 1) insert.run(`${row}`)
  database.exec('COMMIT')
  database.close()
  return folder
}

test('the command sends, lists, reads back and puts back', { tags: 'slow', timeout: 120_000 }, async ({ expect }) => {
  const { standIn } = await opened()
  const program = path.resolve(import.meta.dirname, '../../../local/backup.ts')
  const run = async (phrase: string, ...args: string[]) => {
    const env = {
      ...process.env,
      WHARF_BACKUP_KEY_ID: credentials.accessKeyId,
      WHARF_BACKUP_KEY_SECRET: credentials.secretAccessKey,
      WHARF_BACKUP_PASS_PHRASE: phrase,
    }
    const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece))
    const [code] = await once(child, 'close')
    return [code, said] as const
  }
  const place = `${standIn.address}/wharf`
  const data = await makeData()
  expect(await run('', place, '--data', data)).toEqual([1, expect.stringContaining('set a pass phrase for it')])
  const [code, said] = await run(passPhrase, place, '--data', data)
  expect([code, said]).toEqual([0, expect.stringContaining('5000 rows')])
  const backup = said.slice(0, said.indexOf(': '))
  expect(backup.startsWith(`${place}/wharf-`)).toBe(true)
  expect((await run(passPhrase, 'list', place))[1]).toContain(`${backup.slice(place.length + 1)}  `)
  expect(await run(passPhrase, 'verify', backup)).toEqual([0, expect.stringContaining(`${backup} is whole`)])
  const fresh = await makeDataFolder()
  expect(await run(passPhrase, 'restore', backup, '--data', fresh)).toEqual([0, expect.stringContaining('5000 rows')])
  const restored = new DatabaseSync(path.join(fresh, 'state', 'd1', 'x', 'main.sqlite'))
  expect(restored.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 5_000 })
  restored.close()
  expect(await run(passPhrase, 'restore', `${place}/gone`, '--data', fresh)).toEqual([
    1,
    expect.stringContaining('404: NoSuchKey'),
  ])
})

test('a service sends what it makes, and says of each backup whether it is there', { timeout: 180_000 }, async ({
  expect,
}) => {
  const { standIn } = await opened()
  const folder = await makeDataFolder()
  const start = (phrase: string) =>
    endAfterTest(
      startServe(
        ['--workers', '--data', folder, '--port', '0', '--without', 'agent,viewer', '--no-sandbox'].concat([
          '--backup-bucket',
          `${standIn.address}/wharf`,
        ]),
        {
          env: {
            ...process.env,
            WHARF_BACKUP_KEY_ID: credentials.accessKeyId,
            WHARF_BACKUP_KEY_SECRET: credentials.secretAccessKey,
            WHARF_BACKUP_PASS_PHRASE: phrase,
          },
        },
      ),
    )
  const refused = start('')
  expect(await refused.exit).toEqual({ code: 1, signal: null })
  expect(refused.stderr()).toContain('set a pass phrase for it (WHARF_BACKUP_PASS_PHRASE)')

  const host = start(passPhrase)
  const origin = await host.ready()
  await expect.poll(() => host.stdout()).toMatch(/setup\?code=\S/)
  const headers = { 'content-type': 'application/json', origin }
  const ask = async (method: string, where: string, body?: object, cookie = '') =>
    fetch(`${origin}/api/console/v1${where}`, {
      method,
      headers: { ...headers, cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const code = /setup\?code=(\S+)/.exec(host.stdout())?.[1]
  const setUp = await ask('POST', '/setup', { code, password: 'harbour lanterns at four' })
  const cookie = (setUp.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const made = (await (await ask('POST', '/backups', {}, cookie)).json()) as WireBackup
  await expect
    .poll(async () => (await ask('GET', '/backups', undefined, cookie)).json())
    .toMatchObject({
      items: [{ name: made.name, sealed: true, away: true }],
      bucket: { address: `${standIn.address}/wharf`, count: 1 },
    })
  expect(standIn.objects.get(`wharf/${made.name}`)?.length).toBe(made.bytes)
})
