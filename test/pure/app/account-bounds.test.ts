/** What is looked through for the figures of an account, at each bound and one past it. */
import { test } from 'vitest'
import { parseMarkup } from '../../../workers/app/adapters/sites/markup.ts'
import { readHome } from '../../../workers/app/adapters/sites/nexusphp/account-block.ts'
import { readAccount } from '../../../workers/app/adapters/sites/nexusphp/account-page.ts'
import { readBonusPerHour } from '../../../workers/app/adapters/sites/nexusphp/bonus-page.ts'
import { signInOutcome } from '../../../workers/app/adapters/sites/nexusphp/sign-in-page.ts'
import { readTorrentList } from '../../../workers/app/adapters/sites/nexusphp/torrent-list.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import {
  accountBlockCharactersMax,
  accountCellCharactersMax,
  accountHeadCharactersMax,
  accountHeadNodesMax,
  accountPageCharactersMax,
  bonusPageCharactersMax,
  demandBesideCharactersMax,
  demandCharactersMax,
  signInPageCharactersMax,
  siteNoticeCharactersMax,
  siteTagsMax,
  trafficTogetherCharactersMax,
} from '../../../workers/app/limits.ts'

const profile = siteProfile('nexusphp', {})
const dots = (count: number) => '.'.repeat(count)
const row = (head: string, cell: string) => `<table><tr><td>${head}</td><td>${cell}</td></tr></table>`
const level = (head: string) => readAccount(parseMarkup(row(head, 'Elite')), profile)?.level?.value
const uploaded = (page: string) => readAccount(parseMarkup(page), profile)?.uploadedBytes?.value
const downloaded = (page: string) => readAccount(parseMarkup(page), profile)?.downloadedBytes?.value
const onTop = (block: string, page = '') =>
  readHome(parseMarkup(`<div id="info_block"><a href="userdetails.php?id=1">w</a>${block}</div>${page}`), profile)
/** Text that ends where the bound is, or so much after it. */
const endingAt = (bound: number, past: number, text: string) => dots(bound + past - text.length) + text
const [traffic, otherSide] = ['上传量: 512 B', '下载量: 512 B']

test.each<[bound: string, read: (past: number) => unknown, value: unknown]>([
  ['letters of a head', (past) => level(`等级<i>${' '.repeat(accountHeadCharactersMax - 2 + past)}</i>`), 'Elite'],
  ['parts of a head', (past) => level(`等级${'<i></i>'.repeat(accountHeadNodesMax - 1 + past)}`), 'Elite'],
  ['letters of a cell', (past) => uploaded(row('传输', endingAt(accountCellCharactersMax, past, traffic))), 512],
  [
    'letters of the block on top',
    (past) => onTop(endingAt(accountBlockCharactersMax - 2, past, '魔力值: 7'))?.bonus,
    7,
  ],
  ['letters of a page', (past) => downloaded(endingAt(accountPageCharactersMax, past, `${traffic} ${otherSide}`)), 512],
  [
    'letters of the rules of the bonus',
    (past) => readBonusPerHour(parseMarkup(endingAt(bonusPageCharactersMax, past, '你当前每小时能获取 7')), profile),
    7,
  ],
  [
    'letters of a notice',
    (past) =>
      onTop('', `<a href="messages.php">${endingAt(siteNoticeCharactersMax, past, '7 条新')}</a>`)?.unreadMessages,
    7,
  ],
  [
    'letters of the page of the sign-in',
    (past) => signInOutcome(parseMarkup(endingAt(signInPageCharactersMax, past, '签到成功')))?.status,
    'signed',
  ],
  [
    'letters between both sides of the traffic',
    (past) => uploaded(`${traffic}${dots(trafficTogetherCharactersMax - traffic.length + past)}${otherSide}`),
    512,
  ],
])('%s: at the bound it is read, past it absent', (_bound, read, value) => {
  const [at, past] = [read(0), read(1)]
  if (at !== value || past !== undefined) throw new Error(JSON.stringify([at, past]))
})

test('a demand reaches so far, and to what stands so near', ({ expect }) => {
  const demand = (distance: number, between: string) =>
    row('传输', `要求${dots(distance)}${traffic}${between}${otherSide}`)
  expect(uploaded(demand(demandCharactersMax - 2, ''))).toBeUndefined()
  expect(uploaded(demand(demandCharactersMax - 1, ''))).toBe(512)
  expect(downloaded(demand(1, dots(demandBesideCharactersMax)))).toBeUndefined()
  expect(downloaded(demand(1, dots(demandBesideCharactersMax + 1)))).toBe(512)
})

test('of a torrent so many tags are kept', ({ expect }) => {
  const list = (tags: number) =>
    `<table class="torrents"><tr><td>name</td><td>size</td><td>seeders</td><td>leechers</td></tr><tr><td><a href="details.php?id=7">x</a>${'<b class="tag">t</b>'.repeat(tags)}</td><td>1 GB</td><td>1</td><td>2</td></tr></table>`
  for (const tags of [siteTagsMax, siteTagsMax + 1])
    expect(readTorrentList(list(tags), profile)?.[0]?.tags).toHaveLength(siteTagsMax)
})
