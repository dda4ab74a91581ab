/**
 * Pages of sites that changed the software's own. What differs are facts of public site descriptions (pt-plugins/PT-depiler
 * at c64cc94c, `src/packages/site/definitions`: which words head a figure, which marks hold it, which page tells it);
 * the pages around them are made here, from those of `nexusphp-pages.ts`.
 */
import {
  accountPage,
  bonusPage,
  framedPage,
  type PageAccount,
  type PageLook,
  seedingList,
  walkersAccount,
} from './nexusphp-pages.ts'

export interface ThemePages {
  readonly home: string
  readonly details: string
  readonly seeding: string
  readonly bonus: string
}
/** Figures that such a page does not tell, or not in a way that has one meaning. */
type Missing = readonly (
  | 'level'
  | 'uploaded'
  | 'downloaded'
  | 'ratio'
  | 'bonus'
  | 'bonus_per_hour'
  | 'seeding'
  | 'unread'
)[]
export interface Theme {
  readonly name: string
  readonly missing?: Missing
  readonly pages: (account: PageAccount) => ThemePages
}

export const themeLook: PageLook = { version: '1.8', language: 'chs', promotionStyle: 'icon', timeType: 'timealive' }
const english: PageLook = { ...themeLook, language: 'en' }

function stock(account: PageAccount, look: PageLook = themeLook): ThemePages {
  return {
    home: framedPage(look, account, ''),
    details: accountPage(look, account),
    seeding: seedingList(look, []).replace(/^.*$/, seedingOf(account)),
    bonus: bonusPage(look, account),
  }
}

export function seedingOf({ seeding }: PageAccount): string {
  return seeding === 0
    ? '没有记录'
    : `<br/><div style="display: flex"><div><b>${seeding}</b> 条记录 | 总大小：${seeding * 2}.000 GB</div><div></div></div><table><tr><td class="colhead">类型</td></tr></table>`
}

type Change = (page: string) => string
const everywhere = (pages: ThemePages, change: Change): ThemePages => ({
  home: change(pages.home),
  details: change(pages.details),
  seeding: pages.seeding,
  bonus: change(pages.bonus),
})
/** Holds that a page was changed: a theme that changes nothing proves nothing. */
export function changed(page: string, from: string | RegExp, to: string): string {
  const result = page.replace(from, to)
  if (result === page) throw new Error(`nothing to change: ${from}`)
  return result
}
export const number = (value: number, digits = 1) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
const gib = 1024 ** 3
const tib = 1024 ** 4
export const amount = (bytes: number, unit = 'TB') => `${number(bytes / tib, 3)} ${unit}`
export const ratioOf = ({ uploadedBytes, downloadedBytes }: PageAccount) =>
  (Math.floor((uploadedBytes / downloadedBytes) * 1000) / 1000).toFixed(3)
const transferRow = /(<td width="1%" class="rowhead nowrap"[^>]*>传输<\/td><td[^>]*>)<table[\s\S]*?<\/table>/
const levelRow = /<img alt="Power User"[^>]*> &nbsp;3\.5 GB club/
const bonusCell = (account: PageAccount) => `align="left">${number(account.bonus)}</td>`

/** What named sites call their bonus. */
const bonusWords: Readonly<Record<string, string>> = {
  '13city': '啤酒瓶',
  afun: '喵饼',
  agsvpt: '冰晶',
  audiences: '爆米花',
  crabpt: '蟹币值',
  cspt: '金元宝',
  hddolby: '鲸币',
  hdvideo: '电影票',
  hhanclub: '憨豆',
  hxpt: '火花',
  joyhd: '银元',
  keepfrds: '魔力',
  pter: '猫粮',
  ptlgs: '工分',
  ptvicomo: '象草',
  raingfh: '雨滴',
  sewerpt: '金币',
  springsunday: '积分',
  tmpt: '星焱',
  ubits: 'U币',
  xingtan: '杏仁值',
  zmpt: '电力值',
}

/** The block of `audiences`: marks for words, and no block by the software's name. */
function compactBar(account: PageAccount): string {
  const metric = (name: string, label: string, value: string) =>
    `<span class="site-userbar__compact-metric site-userbar__compact-metric--${name}"><b>${label}</b><em>${value}</em></span>`
  return `<header class="site-userbar"><div class="who"><a href="userdetails.php?id=${account.userId}" class="PowerUser_Name"><b>${account.username}<i class="icon-rank">Lv5</i></b></a> <a href="logout.php">退出</a></div><div>${[
    metric('uploaded', '上传', amount(account.uploadedBytes)),
    metric('downloaded', '下载', amount(account.downloadedBytes)),
  ].join('')}</div></header>`
}

const bare = (body: string) =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"><title>x</title></head><body><nav><a href="torrents.php">种子</a><a href="upload.php">上传</a><a href="messages.php">短讯</a></nav>${body}</body></html>`

/** Heads and values as marks beside one another, as `hhanclub` shows them. */
function pairs(account: PageAccount, wrap: (head: string, value: string) => string): string {
  return [
    ['用户名', account.username],
    ['加入日期', '2019-03-04 05:06:07 (7年前)'],
    ['上传量', amount(account.uploadedBytes)],
    ['实际上传量', amount(account.movedUp)],
    ['下载量', amount(account.downloadedBytes)],
    ['实际下载量', amount(account.movedDown)],
    ['分享率', ratioOf(account)],
    ['等级', account.level],
    ['憨豆', number(account.bonus)],
    ['做种积分', number(account.bonus * 3)],
  ]
    .map(([head = '', value = '']) => wrap(head, value))
    .join('\n')
}
const loose = (account: PageAccount, wrap: (head: string, value: string) => string): ThemePages => {
  const page = (body: string) => bare(`${compactBar(account)}${body}`)
  return {
    home: page(''),
    details: page(`<main>${pairs(account, wrap)}</main>`),
    seeding: seedingOf(account),
    bonus: page(`<div class="grid"><div>你当前每小时能获取${account.bonusPerHour}个憨豆 (A = 12.5)</div></div>`),
  }
}

const row = (head: string, value: string) =>
  `<tr><td class="rowhead nowrap">${head}</td><td class="rowfollow">${value}</td></tr>`

const named = Object.entries(bonusWords).map(
  ([site, word]): Theme => ({
    name: `${site}, whose bonus is ${word}`,
    pages: (account) => everywhere(stock(account), (page) => page.replaceAll('魔力值', word)),
  }),
)

const shapes: readonly Theme[] = [
  {
    name: 'tjupt, with rows of their own for what is moved',
    pages: (account) => ({
      ...stock(account),
      details: changed(
        stock(account).details,
        new RegExp(`<tr>${transferRow.source}</td></tr>`),
        row('上传量', `${amount(account.uploadedBytes)} <span>(实际: ${amount(account.movedUp)})</span>`) +
          row('下载量', amount(account.downloadedBytes)) +
          row('分享率', `<font color="">${ratioOf(account)}</font>`),
      ),
    }),
  },
  {
    name: 'keepfrds, with the bonus and its points in one cell',
    pages: (account) => ({
      ...stock(account),
      details: changed(
        changed(stock(account).details, '>魔力值</td>', '>魔力</td>'),
        bonusCell(account),
        `align="left">魔力值: ${number(account.bonus)} | 做种积分: ${number(account.bonus * 7)}</td>`,
      ),
    }),
  },
  {
    name: 'springsunday, with its own word behind a general one',
    pages: (account) => ({
      ...stock(account),
      details: changed(
        changed(stock(account).details, '>魔力值</td>', '>积分</td>'),
        bonusCell(account),
        `align="left">茉莉：${number(account.bonus)}&nbsp;&nbsp;做种积分：9,999.9</td>`,
      ),
    }),
  },
  {
    name: 'pttime, with the level as a word with a name',
    pages: (account) => ({
      ...stock(account),
      details: changed(stock(account).details, levelRow, '<b title="Power User" class="PowerUser_Name">高级会员</b>'),
    }),
  },
  {
    name: 'ptvicomo, with the level as a bare word',
    pages: (account) => ({
      ...stock(account),
      details: changed(stock(account).details, levelRow, '<b>Power User</b> (到期: 2027-01-01) [晋级]'),
    }),
  },
  {
    name: 'redleaves, with a mark within the name',
    pages: (account) =>
      everywhere(stock(account), (page) => page.replaceAll('<b>walker 7</b>', '<b>walker 7<i class="rank">3</i></b>')),
  },
  {
    name: 'ilolicon, whose accounts have other keys',
    pages: (account) =>
      everywhere(stock(account), (page) =>
        page.replaceAll(`userdetails.php?id=${account.userId}`, 'userdetails.php?uuid=1b4e28ba-2fa1'),
      ),
  },
  {
    name: 'baozi, without the block by its name',
    pages: (account) =>
      everywhere(stock(account), (page) => changed(page, 'table id="info_block"', 'table id="welcome_text"')),
  },
  {
    name: 'audiences and hhanclub, all in marks',
    missing: ['unread'],
    pages: (account) =>
      loose(account, (head, value) => `<div class="row"><span>${head}</span><span>${value}</span></div>`),
  },
  {
    name: 'a list of definitions',
    missing: ['unread'],
    pages: (account) => loose(account, (head, value) => `<dl><dt>${head}：</dt><dd>${value}</dd></dl>`),
  },
  {
    name: 'a cell that holds all of it',
    missing: ['level', 'bonus'],
    pages: (account) => ({
      ...stock(account),
      home: changed(stock(account).home, /魔力值 <\/font>\[.*?: [0-9,.]+/, '</font>'),
      details: framedPage(
        themeLook,
        account,
        `<table><tr><td class="rowfollow">分享率: ${ratioOf(account)} 上传量: ${amount(account.uploadedBytes)} 下载量: ${amount(account.downloadedBytes)} 实际上传量: ${amount(account.movedUp)}</td></tr></table>`,
      ).replace(/魔力值 <\/font>\[.*?: [0-9,.]+/, '</font>'),
    }),
  },
  {
    name: 'two pairs in a row',
    pages: (account) => ({
      ...stock(account),
      details: changed(
        stock(account).details,
        new RegExp(`<tr>${transferRow.source}</td></tr>`),
        `<tr><td class="rowhead">上传量</td><td>${amount(account.uploadedBytes)}</td><td class="rowhead">下载量</td><td>${amount(account.downloadedBytes)}</td></tr>`,
      ),
    }),
  },
  {
    name: 'rows in another order, with others between',
    pages: (account) => {
      const { details, ...others } = stock(account)
      const rows = details.split('\n').filter((line) => line.startsWith('<tr><td width="1%" class="rowhead'))
      const turned = [...rows].reverse().flatMap((one) => [row('勋章', '<img title="金" alt="x">'), one])
      return { ...others, details: changed(details, rows.join('\n'), turned.join('\n')) }
    },
  },
  {
    name: 'marks that explain in heads and cells',
    pages: (account) => ({
      ...stock(account),
      details: [
        ['>魔力值</td>', '>魔力值 <span class="tip" title="怎么算">[?]</span></td>'],
        ['>等级</td>', '><a href="faq.php#level">等级</a>：</td>'],
        ['>传输</td>', '>&nbsp;传输&nbsp;</td>'],
        [bonusCell(account), `align="left">${number(account.bonus)} <a href="mybonus.php">[兑换]</a> 每日 20</td>`],
      ].reduce((page, [from = '', to = '']) => changed(page, from, to), stock(account).details),
    }),
  },
  {
    name: 'other lists of members on the page',
    pages: (account) => ({
      ...stock(account),
      details: changed(
        stock(account).details,
        "<h1 style='margin:0px'>",
        '<table><tr><td>等级</td><td>魔力值</td><td>上传量</td><td>下载量</td></tr><tr><td>Elite User</td><td>9</td><td>9 TB</td><td>9 TB</td></tr></table><h1>',
      ),
    }),
  },
  {
    name: 'rules that speak of amounts',
    pages: (account) => ({
      ...stock(account),
      details: changed(
        stock(account).details,
        "<h1 style='margin:0px'>",
        '<p>升级要求：上传量: 100 GB，下载量: 50 GB，分享率: 1.05，魔力值: 400</p><h1>',
      ),
    }),
  },
  {
    name: 'units of two powers',
    pages: (account) => everywhere(stock(account), (page) => page.replace(/([0-9]) ([KMGTP])B\b/g, '$1&nbsp;$2iB')),
  },
  {
    name: 'units of one letter',
    pages: (account) => everywhere(stock(account), (page) => page.replace(/([0-9]) ([MGTP])B\b/g, '$1 $2')),
  },
  {
    name: 'words of two languages',
    pages: (account) =>
      everywhere(stock(account), (page) =>
        page.replaceAll('上传量', 'Uploaded').replaceAll('>等级<', '>Class<').replaceAll('魔力值', 'Karma&nbsp;Points'),
      ),
  },
  { name: 'english', pages: (account) => ({ ...stock(account, english), seeding: seedingOf(account) }) },
  {
    name: 'numbers with a comma for the point',
    missing: ['uploaded', 'downloaded', 'ratio', 'bonus', 'bonus_per_hour'],
    pages: (account) =>
      everywhere(stock(account), (page) =>
        page.replace(/(?<![\w.#-])[0-9][0-9,]*\.[0-9]+(?![\w.])/g, (text) =>
          text.replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ',')),
        ),
      ),
  },
  {
    name: 'numbers with blanks for commas',
    missing: ['bonus'],
    pages: (account) => everywhere(stock(account), (page) => page.replace(/([0-9]),([0-9]{3})/g, '$1 $2')),
  },
  {
    name: 'a ratio without end, where the traffic tells another',
    pages: (account) => everywhere(stock(account), (page) => page.replace(/5\.55[56]/g, '∞')),
  },
  {
    name: 'btschool, whose row counts what is seeded',
    pages: (account) => ({
      ...stock(account),
      seeding: '',
      home: changed(stock(account).home, /class="arrowup"/, 'class="up"').replace('Torrents seeding', 'x'),
      details: changed(
        stock(account).details,
        '<u>[显示/隐藏]</u>',
        `<u>[显示/隐藏]</u> ${account.seeding} 个种子，共 ${account.seeding * 2}.000 GB`,
      ),
    }),
  },
  {
    name: 'pter, whose rows say how much is seeded',
    pages: (account) => ({
      ...stock(account),
      seeding: '',
      details: changed(
        stock(account).details,
        '<tr><td width="1%" class="rowhead nowrap" valign="top" align="right">H&R',
        `${row('做种大小', `${account.seeding * 2}.000 GB`)}$&`,
      ),
    }),
  },
]

/** All figures in their usual places, but with one word changed: the figure is absent, and no other one is taken for it. */
export const themes: readonly Theme[] = [...named, ...shapes]

export const themeAccount: PageAccount = {
  ...walkersAccount,
  uploadedBytes: 12.5 * tib,
  downloadedBytes: 2.25 * tib,
  movedUp: 7.125 * tib,
  movedDown: 3.375 * tib,
}
export const themeSeedingBytes = themeAccount.seeding * 2 * gib

export const themeTorrents = [
  {
    id: 71,
    name: 'Paper.Harbour.2026.1080p',
    second: '纸港 | 中字',
    gib: 4.5,
    seeders: 1234,
    leechers: 7,
    snatched: 98,
    discount: 'FREE',
  },
  {
    id: 72,
    name: 'Slow.Lantern.S01.2160p',
    second: '慢灯',
    gib: 12.5,
    seeders: 3,
    leechers: 20,
    snatched: 5,
    discount: '2XFREE',
  },
  { id: 73, name: 'Quiet.Tide.2025', second: '静潮', gib: 1.5, seeders: 8, leechers: 1, snatched: 2, discount: 'NONE' },
] as const
type ThemeTorrent = (typeof themeTorrents)[number]
const promotionOf = ({ discount }: ThemeTorrent) => ({ FREE: 'free', '2XFREE': 'twoupfree', NONE: '' })[discount]
const categoryLink = '<a href="torrents.php?cat=401"><img title="电影" alt="x" src="c.png"></a>'

/** As `hhanclub` and `cspt` show a list. */
export function listOfParts(torrents: readonly ThemeTorrent[]): string {
  const parts = torrents.map(
    (one) =>
      `<div class="torrent-table-sub-info"><div>${categoryLink}</div><div class="torrent-title"><a href="details.php?id=${one.id}"><img src="poster.jpg"></a><a href="details.php?id=${one.id}&amp;hit=1"><b>${one.name}</b></a>${promotionOf(one) === '' ? '' : `<span class="promotion-tag-${promotionOf(one)}">x</span>`}<div class="torrent-info-text-small_name">${one.second}</div><div class="progress-size">99%</div></div><div class="torrent-info-text-added"><span title="2026-11-20 01:02:03">1天</span></div><div class="torrent-info-text-size">${one.gib.toFixed(1)} GB</div><div class="torrent-info-text-seeders"><a>${number(one.seeders, 0)}</a></div><div class="torrent-info-text-leechers">${one.leechers}</div><div class="torrent-info-text-finished">${one.snatched}</div></div>`,
  )
  return bare(`<div class="torrent-table">${parts.join('\n')}</div>`)
}

/** As `haidan` and `hdcity`: marks by another name, or none but the software's links. */
export function listOfMarks(torrents: readonly ThemeTorrent[]): string {
  const items = torrents.map(
    (one) =>
      `<li class="torrent_item"><i>${categoryLink}</i><p><a title="${one.name}" href="details.php?id=${one.id}&amp;hit=1">${one.name.slice(0, 9)}..</a>${promotionOf(one) === '' ? '' : `<img class="pro_${promotionOf(one) === 'free' ? 'free' : 'free2up'}">`}<small class="sub_title">${one.second}</small></p><span class="video_size">${one.gib.toFixed(2)} GiB</span><a href="details.php?id=${one.id}&amp;dllist=1#seeders">${one.seeders}</a><a href="details.php?id=${one.id}&amp;dllist=1#leechers">${one.leechers}</a><a href="viewsnatches.php?id=${one.id}">${one.snatched}</a></li>`,
  )
  return bare(`<ul>${items.join('')}</ul>`)
}

/** Signs for words in the heads, and bodies in a section of their own. */
export function listOfSigns(torrents: readonly ThemeTorrent[]): string {
  const heads = [3, 4, 5, 7, 8, 6].map(
    (sort) => `<th><a href="?sort=${sort}&amp;type=desc"><i class="fa"></i></a></th>`,
  )
  const rows = torrents.map(
    (one) =>
      `<tr><td>${categoryLink}</td><td><a href="details.php?id=${one.id}"><img src="poster.jpg"></a><a title="点击查看" href="details.php?id=${one.id}"><b>${one.name}</b></a>${promotionOf(one) === '' ? '' : `<span class="torrent-pro-icon torrent-pro-${promotionOf(one)}">x</span>`}<br>${one.second}</td><td>0</td><td>2026-11-20<br>01:02:03</td><td>${one.gib.toFixed(2)}<br>GB</td><td>${number(one.seeders, 0)}</td><td>${one.leechers}</td><td>${one.snatched}</td></tr>`,
  )
  return bare(
    `<table class="torrents"><thead><tr><th>类型</th><th>标题</th>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`,
  )
}
