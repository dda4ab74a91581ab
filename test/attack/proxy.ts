/** What a caller says about itself, and who guesses: on the defaults, and behind a proxy that the owner named. */
import { secretAttemptsMax, secretAttemptsOwnMachinePauseSeconds } from '../../workers/app/limits.ts'
import { ownerOf, ownerPassword, type RunningWharf, startWharf, temporaryFolder } from '../support/running-wharf.ts'
import type { AttackGroup, AttackOutcome } from './attack.ts'
import { type Call, type Called, callService } from './http-caller.ts'

const signInPath = '/api/console/v1/sign-in'
const setUpPath = '/api/console/v1/setup'
const wrong = 'wrong wrong wrong'
const publicOrigin = 'https://wharf.example'
/** Addresses of this machine that stand for the owner's proxy and for anybody else. */
const proxyAddress = '127.0.0.7'
const strangerAddress = '127.0.0.8'

interface Ground {
  readonly origin: string
  call(call: Call): Promise<Called>
  signIn(password: string, headers?: Readonly<Record<string, string>>, from?: string): Promise<Called>
  /** With a wrong code. */
  setUp(headers: Readonly<Record<string, string>>, from?: string): Promise<Called>
}

function groundOf({ origin }: RunningWharf): Ground {
  const port = Number(new URL(origin).port)
  const post = (path: string, json: object, headers: Readonly<Record<string, string>>, from: string) =>
    callService(port, { method: 'POST', path, headers: { origin, ...headers }, json, from })
  return {
    origin,
    call: (call) => callService(port, call),
    signIn: (password, headers = {}, from = strangerAddress) => post(signInPath, { password }, headers, from),
    setUp: (headers, from = strangerAddress) =>
      post(setUpPath, { code: wrong, password: ownerPassword }, headers, from),
  }
}

interface Attack {
  readonly attack: string
  /** Undefined when it got nowhere, otherwise what it got. */
  readonly run: () => Promise<string | undefined>
}

async function judge({ attack, run }: Attack): Promise<AttackOutcome> {
  const got = await run().catch((error: unknown) => `it could not be tried: ${String(error)}`)
  return got === undefined ? { attack, fate: 'stopped' } : { attack, fate: 'hole', detail: got }
}

const unless = (status: number, answer: Called) =>
  answer.status === status ? undefined : `${answer.status} instead of ${status}`

/**
 * Guesses at the set-up code, which may be as many as at the password and cost the machine less: they must not be looked at
 * as if each came from an address of its own.
 */
async function guess(attempt: (tried: number) => Promise<Called>): Promise<string | undefined> {
  const lookedAt: number[] = []
  for (let tried = 0; tried < 3 * secretAttemptsMax; tried += 1) {
    const { status } = await attempt(tried)
    if (status === 429) return undefined
    lookedAt.push(status)
  }
  return `all of ${lookedAt.length} guesses were looked at`
}

/** Headers that say who calls. */
const sourceHeaders: readonly string[] = [
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'true-client-ip',
  'x-real-ip',
  'x-client-ip',
  'x-forwarded-for',
]

function onDefaults({ origin, call, signIn, setUp }: Ground): Attack[] {
  const hosts = [
    'evil.example',
    `evil.example:${new URL(origin).port}`,
    'wharf.example',
    '0.0.0.0',
    'localhost.evil.example',
  ]
  return [
    ...hosts.map((host) => ({
      attack: `a page of ${host} asks under its own name`,
      run: async () => unless(403, await call({ path: '/api/app/v1/meta', headers: { host } })),
    })),
    ...['http://evil.example', 'https://127.0.0.1', 'null', publicOrigin].map((page) => ({
      attack: `a page at ${page} signs in with the right password`,
      run: async () => unless(403, await signIn(ownerPassword, { origin: page })),
    })),
    ...['x-forwarded-proto', 'forwarded', 'cf-visitor'].map((name) => ({
      attack: `${name} makes plain http look like https`,
      async run() {
        const value = { 'x-forwarded-proto': 'https', forwarded: 'proto=https', 'cf-visitor': '{"scheme":"https"}' }[
          name
        ]
        const answer = await signIn(ownerPassword, { [name]: value ?? '', origin: origin.replace('http:', 'https:') })
        return unless(403, answer)
      },
    })),
    {
      attack: 'x-forwarded-host names another host',
      run: async () =>
        unless(403, await signIn(ownerPassword, { 'x-forwarded-host': 'evil.example', origin: 'http://evil.example' })),
    },
    ...sourceHeaders.map((name) => ({
      attack: `${name} gives each guess an address of its own`,
      run: () => guess((tried) => setUp({ [name]: `192.0.2.${tried}` })),
    })),
  ]
}

/** Runs last: it leaves the owner's bucket empty. */
function lockOut({ signIn }: Ground, knownBrowser: string): Attack[] {
  return [
    {
      attack: 'a program of this machine guesses, and a browser that has signed in before is kept out',
      async run() {
        for (let tried = 0; tried <= secretAttemptsMax; tried += 1) await signIn(wrong)
        return unless(200, await signIn(ownerPassword, { cookie: knownBrowser }))
      },
    },
    {
      attack: 'a program of this machine guesses, and the owner’s new browser is kept out for minutes',
      async run() {
        const deadline = performance.now() + 2 * secretAttemptsOwnMachinePauseSeconds * 1000
        while (performance.now() < deadline) {
          if ((await signIn(ownerPassword)).status === 200) return undefined
          await new Promise((resolve) => setTimeout(resolve, 500))
        }
        return `still refused after ${2 * secretAttemptsOwnMachinePauseSeconds} s`
      },
    },
  ]
}

function behindProxy({ origin, call, signIn, setUp }: Ground): Attack[] {
  const host = new URL(publicOrigin).host
  const page = { host, origin: publicOrigin }
  const guessesFrom = async (from: string, headersOf: (tried: number) => Record<string, string>) => {
    return guess((tried) => setUp({ ...page, ...headersOf(tried) }, from))
  }
  return [
    {
      attack: 'a caller past the proxy names addresses as the proxy would',
      run: () => guessesFrom(strangerAddress, (tried) => ({ 'x-forwarded-for': `198.51.100.${tried}` })),
    },
    {
      attack: 'a caller writes addresses before the one that the proxy adds',
      run: () => guessesFrom(proxyAddress, (tried) => ({ 'x-forwarded-for': `198.51.100.${tried}, 203.0.113.1` })),
    },
    ...sourceHeaders
      .filter((name) => name !== 'x-forwarded-for')
      .map((name, at) => ({
        attack: `${name} comes through the proxy and gives each guess an address of its own`,
        run: () =>
          guessesFrom(proxyAddress, (tried) => ({
            [name]: `198.51.100.${tried}`,
            'x-forwarded-for': `203.0.113.${10 + at}`,
          })),
      })),
    {
      attack: 'one customer’s IPv6 network is taken for many callers',
      run: () => guessesFrom(proxyAddress, (tried) => ({ 'x-forwarded-for': `2001:db8:1:2:${tried}::1` })),
    },
    {
      attack: 'a text that is no address is a caller of its own each time',
      run: () => guessesFrom(proxyAddress, (tried) => ({ 'x-forwarded-for': `${'x'.repeat(4000)}${tried}` })),
    },
    {
      attack: 'a guesser behind the proxy keeps another caller out',
      async run() {
        for (let tried = 0; tried < secretAttemptsMax; tried += 1)
          await signIn(wrong, { ...page, 'x-forwarded-for': '203.0.113.40' }, proxyAddress)
        return unless(200, await signIn(ownerPassword, { ...page, 'x-forwarded-for': '203.0.113.41' }, proxyAddress))
      },
    },
    {
      attack: 'the public name is reached on the inner port',
      run: async () => unless(403, await call({ path: '/', headers: { host: `${host}:${new URL(origin).port}` } })),
    },
    {
      attack: 'a page at the public name without TLS signs in',
      run: async () =>
        unless(
          403,
          await signIn(ownerPassword, { host, origin: `http://${host}`, 'x-forwarded-proto': 'http' }, proxyAddress),
        ),
    },
    {
      attack: 'a session cookie is given out that plain http would carry',
      async run() {
        const { status, cookies } = await signIn(
          ownerPassword,
          { ...page, 'x-forwarded-for': '203.0.113.60', 'x-forwarded-proto': 'http' },
          proxyAddress,
        )
        const open = cookies.filter((cookie) => !cookie.startsWith('__Host-') || !cookie.endsWith('; Secure'))
        return status === 200 && open.length === 0 ? undefined : `${status} ${open.join()}`
      },
    },
  ]
}

export const proxyAttacks: AttackGroup = {
  name: 'proxy',
  about: 'forged headers, other names and guessing, on the defaults and behind a proxy',
  async run(): Promise<readonly AttackOutcome[]> {
    const folders = [temporaryFolder(), temporaryFolder()] as const
    const started = await Promise.allSettled([
      startWharf(folders[0].path),
      startWharf(folders[1].path, ['--public-url', publicOrigin, '--trusted-proxy', proxyAddress]),
    ])
    try {
      const [plain, proxied] = started.map((one) => {
        if (one.status === 'rejected') throw one.reason
        return one.value
      })
      if (plain === undefined || proxied === undefined) throw new Error('two services were started')
      const outcomes: AttackOutcome[] = []
      const owner = await ownerOf(plain)
      await ownerOf(proxied)
      const first = await groundOf(plain).signIn(ownerPassword)
      const known = first.cookies.find((cookie) => cookie.startsWith('wharf_browser'))?.split(';')[0] ?? ''
      if (owner['cookie'] === undefined || known === '') throw new Error('the owner’s browser got no mark')
      for (const attack of onDefaults(groundOf(plain))) outcomes.push(await judge(attack))
      for (const attack of lockOut(groundOf(plain), known)) outcomes.push(await judge(attack))
      for (const attack of behindProxy(groundOf(proxied))) outcomes.push(await judge(attack))
      return outcomes
    } finally {
      for (const one of started) if (one.status === 'fulfilled') await one.value.stop()
      for (const folder of folders) folder.remove()
    }
  },
}
