/**
 * What software answers where it lets nobody in, and what its owner is told of it. Sources: xiaomlove/nexusphp at a514ed57
 * (`include/functions.php`: `userlogin`, `stdhead`, `parked`, `loggedinorreturn`), tbdevnet/tbdev at 965e99d8
 * (`include/bittorrent.php`), yunasc/tbdev at 7f757ec3 (`include/functions.php`), cybernet/CyBerFuN-xBTiT at 1352351e and
 * stivi05/XbtitFM-3.1 at 42fa7ad6 (`index.php`), Empornium/Luminance at 23b568c1 (`IPRepository.php`, `error.html.twig`,
 * `public/errors/scheduled.html`), HDInnovations/UNIT3D at 8b88f4c8 (`CheckIfBanned.php`, `BlockIpAddress.php`), WhatCD/Gazelle at
 * 63b33702 and OPSnet/Gazelle at 71b45155 (`gazelle.php`, `lib/util.php`).
 */
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { saidRefusal } from '../../../workers/app/adapters/sites/said-refusal.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import type { SiteDriver } from '../../../workers/app/adapters/sites/site-driver.ts'
import type { SiteFault } from '../../../workers/app/core/site-fault.ts'
import { siteRefusalCharactersMax } from '../../../workers/app/limits.ts'
import { mutatedAccount } from '../../support/mutated-pages.ts'
import { framedPage, type PageLook } from '../../support/nexusphp-pages.ts'
import { siteRuntime } from '../../support/site-runtime.ts'

type Kind = 'nexusphp' | 'unit3d' | 'gazelle' | 'mteam' | 'torznab'
type Work = (driver: SiteDriver) => Promise<unknown>

const signal = () => AbortSignal.timeout(5000)
const probe: Work = (driver) => driver.probe(signal())
const read: Work = (driver) => driver.read(signal())
const search: Work = (driver) => driver.search({ keyword: 'a', categoryIds: [], freeOnly: false }, signal())
const signIn: Work = (driver) => driver.signIn(signal())
const download: Work = (driver) => driver.download('7', 'download.php?id=7', signal())

function driverOf(kind: Kind, answer: (path: string) => Response) {
  const credentials = { cookie: kind === 'nexusphp' ? 'c=1' : '', apiKey: kind === 'nexusphp' ? '' : 'k' }
  return createSiteDriver(
    { kind, baseUrl: 'https://site.example', credentials, profile: siteProfile(kind, { request_interval_ms: 0 }) },
    siteRuntime(async (address) => answer(new URL(address).pathname)),
  )
}

const html = (body: string, status = 200, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers } })
const to = (location: string) => new Response('', { status: 302, headers: { location } })
const cyrillic = (text: string) =>
  Uint8Array.from([...text], (letter) => {
    const code = letter.charCodeAt(0)
    return code < 128 ? code : code - 0x410 + 0xc0
  })

const banned: SiteFault = { kind: 'address_banned' }
const disabled: SiteFault = { kind: 'account_closed', state: 'disabled' }
const parked: SiteFault = { kind: 'account_closed', state: 'parked' }
const maintenance: SiteFault = { kind: 'maintenance' }
const expired: SiteFault = { kind: 'login_expired' }
const challenge: SiteFault = { kind: 'challenge' }
const refused: SiteFault = { kind: 'refused' }

const look: PageLook = { version: '1.8', language: 'chs', promotionStyle: 'icon', timeType: 'timealive' }
const message = (heading: string, text: string) =>
  framedPage(
    look,
    mutatedAccount,
    `<table align="center" class="main" width="500" border="0"><tr><td class="embedded"><h2>${heading}</h2><table width="100%" border="1"><tr><td class="text">${text}</td></tr></table></td></tr></table>`,
  )
/** What the front page shows to everybody who is signed in. */
const behindFront = (page: string) => (path: string) =>
  html(path === '/index.php' ? framedPage(look, mutatedAccount, '') : page)
const forbidden = (said: string) => () => html(`<html><body><h1>403 Forbidden</h1>${said}</body></html>\n`, 403)
const dead = (said: string) => () => html(said)
const json = (body: unknown, status = 200) => Response.json(body, { status })
const shield = (said: string, status = 403) =>
  html(
    `<!DOCTYPE html><html><head><title>Access denied | site.example used Cloudflare to restrict access</title></head><body><h1><span>Error</span><span>1006</span></h1><p>${said}</p></body></html>`,
    status,
  )

type Row = readonly [name: string, kind: Kind, work: Work, answer: (path: string) => Response, fault: SiteFault]

const rows: readonly Row[] = [
  ['NexusPHP, the address', 'nexusphp', probe, forbidden('Unauthorized IP address.'), banned],
  ['NexusPHP in Chinese, the address', 'nexusphp', read, forbidden('未授权的IP地址。'), banned],
  ['NexusPHP in traditional Chinese, the address', 'nexusphp', search, forbidden('未授權的IP地址。'), banned],
  ['NexusPHP, a torrent file from a banned address', 'nexusphp', download, forbidden('未授权的IP地址。'), banned],
  [
    'NexusPHP, parked: the account',
    'nexusphp',
    read,
    behindFront(message('访问拒绝！', '你的帐户处于封存中。')),
    parked,
  ],
  [
    'NexusPHP, parked: the list',
    'nexusphp',
    search,
    behindFront(message('訪問拒絕！', '你的帳戶處於封存中。')),
    parked,
  ],
  [
    'NexusPHP, parked: the sign-in',
    'nexusphp',
    signIn,
    behindFront(message('Access Denied!', 'Your account is parked.')),
    parked,
  ],
  [
    'NexusPHP, parked: a file',
    'nexusphp',
    download,
    behindFront(message('Access Denied!', 'Your account is parked.')),
    parked,
  ],
  ['NexusPHP, closed', 'nexusphp', probe, dead('站点关闭维护中，请稍后再访问...谢谢'), maintenance],
  [
    'NexusPHP in traditional Chinese, closed',
    'nexusphp',
    search,
    dead('站點關閉維護中，請稍後再訪問...謝謝'),
    maintenance,
  ],
  [
    'TBDev, closed',
    'nexusphp',
    probe,
    dead('Site is down for maintenance, please check back again later... thanks<br />'),
    maintenance,
  ],
  // Which of these it is the software does not tell: it leads to its form.
  [
    'an account that is disabled, not confirmed, or bound to another address',
    'nexusphp',
    probe,
    () => to('login.php?returnto=index.php'),
    expired,
  ],
  [
    'a relative in Russian, disabled',
    'nexusphp',
    probe,
    () =>
      new Response(
        cyrillic('<html><body><table><tr><td>Вы забанены на трекере.<br />Причина: </td></tr></table></body></html>'),
        {
          headers: { 'content-type': 'text/html; charset=windows-1251' },
        },
      ),
    disabled,
  ],
  [
    'a relative in Russian, parked',
    'nexusphp',
    probe,
    dead('<html><body><p>Ваш аккаунт припаркован.</p></body></html>'),
    parked,
  ],
  [
    'XBTIT, parked',
    'nexusphp',
    probe,
    dead(
      '<html><body><h3>Account Parked</h3>Your account is currently parked. To unpark your account please <a href="x">click here</a>.</body></html>',
    ),
    parked,
  ],
  [
    'Luminance, the address',
    'nexusphp',
    probe,
    () =>
      html(
        '<html><body><a href="/login">Login</a><form><input type="password" name="password"></form><div class="thin"><div><h2>403 Your IP has been banned</h2></div></div></body></html>',
        403,
      ),
    banned,
  ],
  [
    'Luminance, the address for a while',
    'nexusphp',
    probe,
    () => html('<html><body><h2>403 Your IP is banned for another 5 hours</h2></body></html>', 403),
    banned,
  ],
  [
    'Luminance, closed',
    'nexusphp',
    probe,
    () =>
      html(
        '<html><head><title>Scheduled Maintenance</title></head><body><h2>Scheduled Maintenance</h2></body></html>',
        503,
      ),
    maintenance,
  ],

  [
    'Gazelle by a key, the address',
    'gazelle',
    probe,
    () => json({ status: 'failure', error: 'your ip address has been banned' }),
    banned,
  ],
  [
    'Gazelle by a cookie, the address',
    'gazelle',
    read,
    () =>
      html(
        '<html><body><a href="logout.php">Logout</a><h2>Error</h2><div class="box pad"><p>Your IP address has been banned.</p></div></body></html>',
      ),
    banned,
  ],
  // Whose account is disabled or locked is told the same.
  ['Gazelle, a key that is none', 'gazelle', probe, () => json({ status: 'failure', error: 'invalid token' }), expired],
  [
    'Gazelle, asked too often',
    'gazelle',
    search,
    () => json({ status: 'failure', error: 'Rate limit exceeded', response: [] }),
    { kind: 'rate_limited' },
  ],

  ['UNIT3D, banned', 'unit3d', read, () => json({ message: 'This account is banned!' }), disabled],
  [
    'UNIT3D in Chinese, banned',
    'unit3d',
    search,
    () => new Response('{"message":"\\u6b64\\u5e10\\u6237\\u5df2\\u88ab\\u5c01\\u7981\\uff01"}'),
    disabled,
  ],
  [
    'UNIT3D, the address',
    'unit3d',
    probe,
    () => json({ message: 'Your access to Harbour has been restricted.' }, 403),
    banned,
  ],
  ['UNIT3D, a key that is none', 'unit3d', probe, () => json({ message: 'Unauthenticated.' }, 401), expired],
  [
    'UNIT3D, closed',
    'unit3d',
    probe,
    () => json({ message: 'Service Unavailable' }, 503),
    { kind: 'status', status: 503 },
  ],
  [
    'UNIT3D, asked too often',
    'unit3d',
    probe,
    () => json({ message: 'Too Many Attempts.' }, 429),
    { kind: 'rate_limited' },
  ],

  ['M-Team, a key that is none', 'mteam', probe, () => json({ code: 1, message: 'key無效', data: null }), expired],
  ['M-Team, without a word', 'mteam', probe, () => new Response('', { status: 403 }), refused],
  ['an indexer behind a site that bans the address', 'torznab', search, forbidden('Unauthorized IP address.'), banned],
  [
    'an indexer behind a form to sign in',
    'torznab',
    search,
    dead('<html><form><input type="password"></form></html>'),
    expired,
  ],

  [
    'a web server of its own accord',
    'nexusphp',
    probe,
    () =>
      html(
        '<html><head><title>403 Forbidden</title></head><body><center><h1>403 Forbidden</h1></center><hr><center>nginx</center></body></html>',
        403,
      ),
    refused,
  ],
  [
    'a form to sign in with 403',
    'nexusphp',
    probe,
    () => html('<form action="takelogin.php"><input type="password" name="password"></form>', 403),
    expired,
  ],
  [
    'a shield, the address',
    'nexusphp',
    probe,
    () => shield('The owner of this website (site.example) has banned your IP address (192.0.2.7).'),
    banned,
  ],
  [
    'a shield, the country',
    'nexusphp',
    probe,
    () =>
      shield(
        'The owner of this website (site.example) has banned the country or region your IP address is in (XX) from accessing this website.',
      ),
    banned,
  ],
  ['a shield, a rule of the site', 'nexusphp', probe, () => shield('Sorry, you have been blocked.'), refused],
  ['a shield, a check', 'nexusphp', probe, () => html('<html><title>Just a moment...</title></html>', 503), challenge],
  [
    'another shield, a check',
    'nexusphp',
    probe,
    () => html('<!DOCTYPE html><html><head><title>DDoS-Guard</title></head><body></body></html>', 403),
    challenge,
  ],
]

describe('where a site lets nobody in', () => {
  test.each(rows)('its owner is told why: %s', async (_name, kind, work, answer, fault) => {
    const told = await work(driverOf(kind, answer))
    if (JSON.stringify(told) !== JSON.stringify({ ok: false, failure: fault })) throw new Error(JSON.stringify(told))
  })

  test('a page that says more than a refusal is none', ({ expect }) => {
    const said = 'Unauthorized IP address.'
    const fill = 'x'.repeat(siteRefusalCharactersMax - said.length)
    expect(saidRefusal(`${said}${fill}`)).toEqual(banned)
    expect(saidRefusal(`${said}${fill}x`)).toBeUndefined()
  })

  test('a page with what was asked for is read, whatever is written on it', async ({ expect }) => {
    const page = framedPage(
      look,
      mutatedAccount,
      '<p>News: who says “Your account is parked.” is told how to end it.</p>',
    )
    expect(await probe(driverOf('nexusphp', () => html(page)))).toMatchObject({ ok: true })
  })
})
