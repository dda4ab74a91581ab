/** What a new password and "sign everything out" end, and how soon. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { pairDevice, TunnelRefusal } from '../../../scripts/tunnel-client.ts'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { passwordCharactersMin, principalCacheMs } from '../../../workers/app/limits.ts'
import { says } from '../../support/stand-in-model.ts'
import {
  type AnyCaller,
  type Caller,
  makeToken,
  origin,
  ownerPassword,
  ownerSession,
  send,
  setupCode,
} from '../../support/workerd/app-client.ts'
import { ask, read, setUpAssistant } from '../../support/workerd/assistant.ts'
import { makeCode, makeDevice, newPost } from '../../support/workerd/devices.ts'

const meta = `${appPrefix}/meta`
const newPassword = 'n'.repeat(passwordCharactersMin)
/** The promise is one second; the rest is for requests that began within it. */
const endsWithin = { timeout: principalCacheMs + 500, interval: 50 }

const { script } = await setUpAssistant('ended-access')

beforeEach(async () => {
  for (const table of ['owner', 'sessions', 'attempts', 'devices', 'pairing_code', 'passkeys'])
    await env.DB.prepare(`delete from ${table}`).run()
  await env.DB.prepare('update api_tokens set revoked_at_unix = 1').run()
})

async function everybody() {
  const session = await ownerSession()
  const other = await ownerSession()
  const { caller: token } = await makeToken(session, ['app:read', 'app:write'])
  const device = await makeDevice(session, 'full')
  await env.DB.prepare(
    "insert into passkeys values ('key', 'public', 'laptop', 'wharf.test', 'owner', 0, 0, 0, 1, null)",
  ).run()
  // Each has been let in a moment ago, so that what is kept about it is kept.
  for (const caller of [session, other, token, device]) await statusOf(caller)
  return { session, other, token, device }
}

/** A device that is not paired any more is refused by the tunnel itself. */
async function statusOf(caller: AnyCaller): Promise<number> {
  try {
    return (await send('GET', meta, caller)).status
  } catch (cause) {
    if (cause instanceof TunnelRefusal) return cause.status
    throw cause
  }
}

const passkeys = async () => (await env.DB.prepare('select id from passkeys').all()).results.length

async function ends({ expect }: { expect: typeof import('vitest').expect }, callers: readonly AnyCaller[]) {
  await expect.poll(async () => Promise.all(callers.map(statusOf)), endsWithin).toEqual(callers.map(() => 401))
}

describe('a new password', () => {
  const change = (session: Caller, keep?: readonly string[]) =>
    send('POST', `${consolePrefix}/password`, session, {
      json: { current: ownerPassword, next: newPassword, ...(keep === undefined ? {} : { keep }) },
    })

  test('ends every session, token, device and passkey within a second', async ({ expect }) => {
    const { session, other, token, device } = await everybody()

    const changed = await change(session)

    expect(changed.body).toEqual({ ok: true, ended: { tokens: 1, devices: 1, passkeys: 1 } })
    await ends({ expect }, [session, other, token, device])
    expect(await passkeys()).toBe(0)
    expect((await send('GET', `${consolePrefix}/tokens`, cookieOf(changed.headers))).body.items).toEqual([])
  })

  test.for([
    ['tokens', 'token', 'device'],
    ['devices', 'device', 'token'],
  ] as const)('leaves the %s that are kept, and nothing else', async ([keep, kept, gone], { expect }) => {
    const all = await everybody()

    await change(all.session, [keep])

    await ends({ expect }, [all.other, all[gone]])
    expect(await statusOf(all[kept])).toBe(200)
    expect(await passkeys()).toBe(0)
  })

  test('leaves all three where they are kept; the other sessions end all the same', async ({ expect }) => {
    const { session, other, token, device } = await everybody()

    const changed = await change(session, ['tokens', 'devices', 'passkeys'])

    expect(changed.body.ended).toEqual({ tokens: 0, devices: 0, passkeys: 0 })
    await ends({ expect }, [session, other])
    expect([await statusOf(token), await statusOf(device), await passkeys()]).toEqual([200, 200, 1])
  })

  test('by the link for a lost one ends as much', async ({ expect }) => {
    const { session, token, device } = await everybody()
    await env.DB.prepare("update owner set setup_code_hash = 'another code'").run()

    const answer = await send(
      'POST',
      `${consolePrefix}/setup`,
      { origin },
      {
        json: { code: setupCode, password: newPassword },
      },
    )

    expect(answer.body.ended).toEqual({ tokens: 1, devices: 1, passkeys: 1 })
    await ends({ expect }, [session, token, device])
  })

  test('that is refused ends nothing', async ({ expect }) => {
    const { session, token, device } = await everybody()

    const wrong = await send('POST', `${consolePrefix}/password`, session, {
      json: { current: 'a wrong password', next: newPassword },
    })
    const unknown = await change(session, ['everything'])

    expect([wrong.status, unknown.status]).toEqual([403, 400])
    expect([await statusOf(session), await statusOf(token), await statusOf(device)]).toEqual([200, 200, 200])
  })

  test('ends the code that waits for a device', async ({ expect }) => {
    const session = await ownerSession()
    const code = await makeCode(session, 'full')

    await change(session)

    await expect(pairDevice(newPost(), code, 'late')).rejects.toThrow(TunnelRefusal)
  })

  test('takes the conversations of the tokens it ends with them', async ({ expect }) => {
    const { session, token } = await everybody()
    await script.will(says('好'))
    const { id } = await ask(token, '你好')
    expect((await read(token, id)).id).toBe(id)

    await change(session)

    await expect.poll(async () => (await env.DB.prepare('select id from conversations').all()).results).toEqual([])
  })
})

describe('signing everything out', () => {
  const signOut = (session: Caller, kinds: unknown) =>
    send('POST', `${consolePrefix}/sign-out-everywhere`, session, { json: { ends: kinds } })

  test('ends all that is named within a second, this browser too, and leaves passkeys', async ({ expect }) => {
    const { session, other, token, device } = await everybody()

    const answer = await signOut(session, ['sessions', 'tokens', 'devices'])

    expect(answer.body).toEqual({ ok: true, ended: { sessions: 2, tokens: 1, devices: 1 } })
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
    await ends({ expect }, [session, other, token, device])
    expect(await passkeys()).toBe(1)
  })

  test('ends one kind by itself', async ({ expect }) => {
    const { session, other, token, device } = await everybody()

    const answer = await signOut(session, ['tokens'])

    expect(answer.headers.get('set-cookie')).toBeNull()
    await ends({ expect }, [token])
    expect([await statusOf(session), await statusOf(other), await statusOf(device)]).toEqual([200, 200, 200])
  })

  test.each([[[]], [['passkeys']], [['sessions', 'sessions', 'tokens', 'devices']], ['all']])(
    'of %j is refused',
    async (kinds) => {
      const session = await ownerSession()
      const answer = await signOut(session, kinds)

      if (answer.status !== 400) throw new Error(JSON.stringify(answer))
    },
  )
})

function cookieOf(headers: Headers): Caller {
  return { origin, cookie: headers.get('set-cookie')?.split(';')[0] ?? '' }
}
