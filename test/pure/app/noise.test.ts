/** The handshakes against published examples of the framework (the set known as "cacophony"). */
import { describe, test } from 'vitest'
import {
  CipherKey,
  Handshake,
  type HandshakeKeys,
  introductionPattern,
  type KeyPair,
  NoiseError,
  openKeptKeyPair,
  pairingPattern,
  sessionPattern,
} from '../../../workers/app/adapters/tunnel/noise.ts'
import { exampleKeys, noiseExamples } from '../../fixtures/noise-examples.ts'

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const hex = (some: Uint8Array) => Buffer.from(some).toString('hex')
const text = (some: string) => new TextEncoder().encode(some)

/** A private key as PKCS #8, from its 32 bytes. */
const keptForm = (raw: string) => bytes(`302e020100300506032b656e04220420${raw}`)

async function pairOf(privateHex: string, publicHex: string): Promise<KeyPair> {
  return openKeptKeyPair(bytes(publicHex), keptForm(privateHex))
}

const initiatorEphemeral = () =>
  pairOf(
    '893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a',
    'ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c7944',
  )
const responderEphemeral = () =>
  pairOf(
    'bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b',
    '95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843',
  )
const initiatorStatic = '6bc3822a2aa7f4e6981d6538692b3cdf3e6df9eea6ed269eb41d93c22757b75a'
const responderStatic = '31e0303fd6418d2f8c0e78b91f22e8caed0fbe48656dcf4767e4834f701b8f62'
const prologue = text('John Galt')
const payloads = ['Ludwig von Mises', 'Murray Rothbard', 'F. A. Hayek', 'Carl Menger']

interface Example {
  readonly pattern: typeof sessionPattern
  readonly initiator: HandshakeKeys
  readonly responder: HandshakeKeys
  readonly messages: readonly string[]
}

async function examples(): Promise<readonly Example[]> {
  const secret = text('This is my Austrian perspective!')
  return [
    {
      pattern: introductionPattern,
      initiator: { prologue, secret, generate: initiatorEphemeral },
      responder: { prologue, secret, generate: responderEphemeral },
      messages: [
        'ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c79447c37a89fc17813788d30df2d59501d6066f5f8aecc3406bbd9829f2d24a531b1',
        '95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f1448088432f29d79368ef9de4e1ae7a362fb05bf0ad668e026bf5714554497b3a720461',
      ],
    },
    {
      pattern: sessionPattern,
      initiator: {
        prologue,
        own: await pairOf('e61ef9919cde45dd5f82166404bd08e38bceb5dfdfded0a34c8df7ed542214d1', initiatorStatic),
        remote: bytes(responderStatic),
        generate: initiatorEphemeral,
      },
      responder: {
        prologue,
        own: await pairOf('4a3acbfdb163dec651dfa3194dece676d437029c62a408b4c5ea9114246e4893', responderStatic),
        generate: responderEphemeral,
      },
      messages: [
        'ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c79444e417bc55c7a8166c993356c1be41ef67818a292426f301556c7f26b21d25ddb097153891a9a956cff47b83e63ad8d701c1342c209cff1ca5ecd43402762ac249e3bd3a4c0a145fe07cb5dae28ea13a3',
        '95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843af2ccf9972e22afc67aeafcd25162f7f98c363b7762e3e4cb7d272e39f27a5',
        '66acfc92e3197de166809e6d4d5d003dcc819a84bc3522ca53c9d9',
        '71f89aa6533a6de70b0826864dd75f60806ee40170c16290189eb3',
      ],
    },
  ]
}

/** The public half, by agreeing with the point that every agreement begins from. */
async function examplePair(privateHex: string): Promise<KeyPair> {
  const { privateKey } = await openKeptKeyPair(new Uint8Array(32), keptForm(privateHex))
  const base = await crypto.subtle.importKey('raw', bytes(`09${'00'.repeat(31)}`), 'X25519', false, [])
  const algorithm = { name: 'X25519', public: base } as unknown as Parameters<typeof crypto.subtle.deriveBits>[0]
  return { privateKey, publicKey: new Uint8Array(await crypto.subtle.deriveBits(algorithm, privateKey, 256)) }
}

describe('handshakes of another implementation', () => {
  const patterns = [introductionPattern, pairingPattern, sessionPattern]

  test('are there for every pattern of the tunnel', ({ expect }) => {
    const known = new Set<string>(noiseExamples.map(({ protocol }) => protocol))
    expect([...known].sort()).toEqual(patterns.map(({ protocol }) => protocol).sort())
  })

  test.for(noiseExamples)('$protocol, prologue $hasPrologue, payloads $hasPayloads', async (example, { expect }) => {
    const pattern = patterns.find(({ protocol }) => protocol === example.protocol) ?? sessionPattern
    const [own, remote] = [
      await examplePair(exampleKeys.initiatorStatic),
      await examplePair(exampleKeys.responderStatic),
    ]
    const shared = {
      prologue: bytes(example.hasPrologue ? exampleKeys.prologue : ''),
      ...(pattern === sessionPattern ? {} : { secret: bytes(exampleKeys.secret) }),
    }
    const left = await Handshake.begin(pattern, 'initiator', {
      ...shared,
      ...(pattern === introductionPattern ? {} : { own, remote: remote.publicKey }),
      generate: () => examplePair(exampleKeys.initiatorEphemeral),
    })
    const right = await Handshake.begin(pattern, 'responder', {
      ...shared,
      ...(pattern === introductionPattern ? {} : { own: remote }),
      generate: () => examplePair(exampleKeys.responderEphemeral),
    })
    const payloads = exampleKeys.payloads.map((payload) => bytes(example.hasPayloads ? payload : ''))
    const first = await left.write(payloads[0] ?? new Uint8Array())
    expect(hex(first)).toBe(example.messages[0])
    expect(hex(await right.read(first))).toBe(hex(payloads[0] ?? new Uint8Array()))
    const second = await right.write(payloads[1] ?? new Uint8Array())
    expect(hex(second)).toBe(example.messages[1])
    expect(hex(await left.read(second))).toBe(hex(payloads[1] ?? new Uint8Array()))
    const [leftKeys, rightKeys] = [await left.split(), await right.split()]
    const sealed = [
      await (await CipherKey.from(leftKeys.sending)).seal(0, bytes(exampleKeys.transport[0])),
      await (await CipherKey.from(rightKeys.sending)).seal(0, bytes(exampleKeys.transport[1])),
    ]
    expect(sealed.map(hex)).toEqual(example.messages.slice(2))
    expect(await (await CipherKey.from(leftKeys.receiving)).open(0, sealed[1] ?? new Uint8Array())).toBeDefined()
  })
})

describe('handshakes', () => {
  test('are byte for byte those of the published examples, and both sides end with the same keys', async ({
    expect,
  }) => {
    for (const { pattern, initiator, responder, messages } of await examples()) {
      const left = await Handshake.begin(pattern, 'initiator', initiator)
      const right = await Handshake.begin(pattern, 'responder', responder)
      const first = await left.write(text(payloads[0] ?? ''))
      expect(hex(first)).toBe(messages[0])
      expect(hex(await right.read(first))).toBe(hex(text(payloads[0] ?? '')))
      const second = await right.write(text(payloads[1] ?? ''))
      expect(hex(second)).toBe(messages[1])
      await left.read(second)

      const [leftKeys, rightKeys] = [await left.split(), await right.split()]
      expect(hex(leftKeys.sending)).toBe(hex(rightKeys.receiving))
      const sealed = await (await CipherKey.from(leftKeys.sending)).seal(0, text(payloads[2] ?? ''))
      const answer = await (await CipherKey.from(rightKeys.sending)).seal(0, text(payloads[3] ?? ''))
      if (messages[2] !== undefined) expect([hex(sealed), hex(answer)]).toEqual(messages.slice(2))
      if (pattern === sessionPattern) expect(hex(right.remote ?? new Uint8Array())).toBe(initiatorStatic)
    }
  })

  test('end at any changed, missing or added byte of a message', async ({ expect }) => {
    for (const { pattern, initiator, responder, messages } of await examples()) {
      const first = bytes(messages[0] ?? '')
      const broken = [...first.keys()].map((at) => first.map((byte, index) => (index === at ? byte ^ 1 : byte)))
      // The highest bit of a key is no part of it; here it still changes the transcript.
      broken.push(first.map((byte, index) => (index === 31 ? byte ^ 0x80 : byte)))
      broken.push(first.slice(0, -1), new Uint8Array([...first, 0]), first.slice(0, 31), new Uint8Array())
      for (const message of broken) {
        const right = await Handshake.begin(pattern, 'responder', responder)
        await expect(right.read(message)).rejects.toBeInstanceOf(NoiseError)
      }
      const left = await Handshake.begin(pattern, 'initiator', initiator)
      await left.write(text(payloads[0] ?? ''))
      await expect(
        left.read(bytes(messages[1] ?? '').map((byte, at) => (at === 40 ? byte ^ 1 : byte))),
      ).rejects.toThrow()
    }
  })

  test('agree on nothing with a key of small order', async ({ expect }) => {
    const [, { responder } = { responder: { prologue } }] = await examples()
    for (const key of [new Uint8Array(32), bytes(`01${'00'.repeat(31)}`)]) {
      const right = await Handshake.begin(sessionPattern, 'responder', responder)
      await expect(right.read(new Uint8Array([...key, ...new Uint8Array(80)]))).rejects.toBeInstanceOf(NoiseError)
    }
  })
})
