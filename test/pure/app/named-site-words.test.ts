/**
 * What certain sites call their bonus and how one signs in there, on pages that are made with just that. The shapes of the
 * answers are facts of public programs that sign in (`NOTICE`); pages are the software's own.
 */
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { readyDefinitions, siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import type { SiteDefinition } from '../../../workers/app/contract/site-definition.ts'
import { accountPage, bonusPage, framedPage } from '../../support/nexusphp-pages.ts'
import { changed, number, seedingOf, themeAccount, themeLook } from '../../support/nexusphp-themes.ts'
import { siteRuntime } from '../../support/site-runtime.ts'

const signal = () => AbortSignal.timeout(5000)

function named(id: string): SiteDefinition {
  const definition = readyDefinitions.find((one) => one.id === id)
  if (definition === undefined) throw new Error(id)
  return definition
}

type Answers = (address: string) => Response | undefined

function driverOf({ kind, overrides = {} }: SiteDefinition, answers: Answers) {
  const asked: string[] = []
  const driver = createSiteDriver(
    {
      kind,
      baseUrl: 'https://site.example',
      credentials: { cookie: 'c=1', apiKey: '' },
      profile: siteProfile(kind, { ...overrides, request_interval_ms: 0 }),
    },
    siteRuntime(async (address) => {
      const { pathname, search } = new URL(address)
      asked.push(pathname + search)
      return answers(pathname + search) ?? new Response('', { status: 404 })
    }),
  )
  return { driver, asked }
}

const page = (text: string) => new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } })

/** The account as a site shows it whose word for the bonus is this one. */
function account(word: string, change: (details: string) => string = (details) => details): Answers {
  const renamed = (text: string) => text.replaceAll('魔力值', word)
  const pages: Readonly<Record<string, string>> = {
    'index.php': renamed(framedPage(themeLook, themeAccount, '')),
    'userdetails.php': change(renamed(accountPage(themeLook, themeAccount))),
    'getusertorrentlistajax.php': seedingOf(themeAccount),
    // Forks have the page under names that begin so.
    mybonus: renamed(bonusPage(themeLook, themeAccount)),
  }
  return (address) => {
    const text = Object.entries(pages).find(([path]) => address.startsWith(`/${path}`))?.[1]
    return text === undefined ? undefined : page(text)
  }
}

async function userOf(definition: SiteDefinition, answers: Answers) {
  const reading = await driverOf(definition, answers).driver.read(signal())
  if (!reading.ok || reading.value.user === undefined) throw new Error(JSON.stringify(reading))
  return reading.value.user
}

const withWords = readyDefinitions
  // The others run other software: `page-families.test.ts`.
  .filter(({ address, overrides }) => address !== undefined && overrides?.paths?.seeding === undefined)
  .flatMap((definition) =>
    (definition.overrides?.labels?.bonus ?? []).map((word) => [definition.id, word, definition] as const),
  )

describe.each(withWords)('%s, whose bonus is called %s', (_id, word, definition) => {
  test('tells it by that word, and where it stands', async ({ expect }) => {
    const user = await userOf(definition, account(word))

    expect(user.bonus).toBe(themeAccount.bonus)
    expect(user.bonusPerHour).toBe(themeAccount.bonusPerHour)
    expect(user.sources?.bonus).toMatchObject({ row: word.toLowerCase() })
  })

  test('tells it by no word that is not its own', async ({ expect }) => {
    for (const other of ['贝壳', `老${word}`, '火花塞'])
      expect(await userOf(definition, account(other)), other).not.toHaveProperty('bonus')
  })
})

test('a row that other sites call their bonus is another row of a site with a word of its own', async ({ expect }) => {
  const decoy = '<tr><td class="rowhead">金币</td><td class="rowfollow">77</td></tr>'
  for (const [id, word, definition] of withWords.filter(([one]) => one !== 'sewerpt')) {
    const user = await userOf(
      definition,
      account(word, (details) => changed(details, '<tr><td width="1%" class="rowhead nowrap"', `${decoy}$&`)),
    )
    expect(user.bonus, id).toBe(themeAccount.bonus)
  }
})

describe('a bonus in coins, with the number itself in a title', () => {
  const u2 = named('u2')
  const coins = (bonus: number) =>
    `<span class="ucoin-notation" title="${number(bonus)}"><span class="ucoin-symbol ucoin-gold">3</span><span class="ucoin-symbol ucoin-silver">45</span><span class="ucoin-symbol ucoin-copper">67</span></span>`
  const inCoins = (text: string) =>
    changed(text, new RegExp(number(themeAccount.bonus), 'g'), coins(themeAccount.bonus))
  const pages: Answers = (address) => {
    const plain = account('UCoin')(address)
    if (plain === undefined || !/index|userdetails/.test(address)) return plain
    return address.startsWith('/index')
      ? page(inCoins(framedPage(themeLook, themeAccount, '').replaceAll('魔力值', 'UCoin')))
      : page(inCoins(accountPage(themeLook, themeAccount).replaceAll('魔力值', 'UCoin')))
  }

  test('is the number, without a doubt', async ({ expect }) => {
    const user = await userOf(u2, pages)

    expect(user.bonus).toBe(themeAccount.bonus)
    expect(user.doubts ?? []).toEqual([])
  })
})

describe('signing in where a site has a way of its own', () => {
  const framed = (body: string) => framedPage(themeLook, themeAccount, body)
  const reward = '<p>这是您的第<b>7</b>次签到，已连续签到<b>7</b>天。</p><p>本次签到获得<b>300</b>克猫粮。</p>'
  const again = '您今天已经签到过了，请勿重复刷新。'

  test.each<[id: string, asked: readonly string[], answers: Answers, status: string]>([
    [
      'btschool',
      ['/index.php?action=addbonus', '/index.php?action=addbonus&k=7'],
      (address) =>
        address.endsWith('&k=7')
          ? page(framed('<font color="white">今天签到您获得50点魔力值</font>'))
          : page('<html><script>window.location="/index.php?act" + "ion=addbonus&" + "k=7";</script></html>'),
      'signed',
    ],
    ['haidan', ['/signin.php', '/index.php'], throughIndex, 'already'],
    ['hdcity', ['/sign'], () => page('<html><h1>签到</h1><p>本次签到获得魅力15</p></html>'), 'signed'],
    [
      'pter',
      ['/attendance-ajax.php'],
      () => json({ status: '1', data: ' (签到已成功300)', message: reward }),
      'signed',
    ],
    ['pter', ['/attendance-ajax.php'], () => json({ status: '0', data: '抱歉', message: again }), 'already'],
  ])('%s asks for %s', async (id, paths, answers, status) => {
    const { driver, asked } = driverOf(named(id), answers)
    const outcome = await driver.signIn(signal())

    if (!outcome.ok || outcome.value.status !== status) throw new Error(JSON.stringify([outcome, asked]))
    if (asked.join(' ') !== paths.join(' ')) throw new Error(asked.join(' '))
  })

  function throughIndex(address: string): Response {
    if (address === '/signin.php') return new Response('', { status: 302, headers: { location: '/index.php' } })
    return page(framed('<input type="submit" id="modalBtn" value="已经打卡" />'))
  }

  test.each([
    ['a script that leaves the site', '<script>window.location="//elsewhere.example/attendance.php";</script>'],
    ['a script beside what a person reads', 'Wait<script>window.location="attendance.php?a=1";</script>'],
    ['JSON that says neither', '{"status":"2","message":"?"}'],
    ['JSON cut off on its way', '{"status":"1","message":"本次签到获得'],
  ])('%s is no sign-in', async (_what, text) => {
    const { driver, asked } = driverOf(named('pter'), () => page(text))

    const outcome = await driver.signIn(signal())
    if (outcome.ok || outcome.failure.kind !== 'broken' || asked.length !== 1) throw new Error(JSON.stringify(outcome))
  })

  test('a script is followed once', async ({ expect }) => {
    const { driver, asked } = driverOf(named('pter'), () => page('<script>window.location="a.php?b=1";</script>'))

    expect((await driver.signIn(signal())).ok).toBe(false)
    expect(asked).toEqual(['/attendance-ajax.php', '/a.php?b=1'])
  })

  const byPerson = readyDefinitions.filter(({ overrides }) => overrides?.signs_in === false)
  test('sites that want a person, or have no sign-in, are not asked', async ({ expect }) => {
    expect(byPerson.length).toBeGreaterThan(20)
    for (const definition of byPerson) {
      const { driver, asked } = driverOf(definition, () => page(framed(again)))
      expect(await driver.signIn(signal()), definition.id).toMatchObject({
        ok: false,
        failure: { kind: 'unsupported' },
      })
      expect(asked).toEqual([])
    }
  })
})

function json(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: { 'content-type': 'text/html; charset=utf-8' } })
}
