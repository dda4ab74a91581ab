/**
 * Pages of forks of the software, cell by cell as their own templates write them: the block on top and what the account's
 * page and the list have otherwise. Source: cyanbug-pt/nexusphp at fdeaafdb (2026), kufeipt/kufeipt at c9d6fdb (2023),
 * Joyist2021/Moecat at 957a5d4 (2021), zuohaocheng/hudbt at 3858af2, sicalpath/tjupt at c81f358, fmyzjs/ZXPT at 410219a
 * (2013), osvimer/hitpt at 18ab5d2 (2012), hongcoo/NEXUSPT at 9baff49 (2016) and, for a list whose second line has its tags in an element of their own,
 * chungbinb/nexusphp-for-hdvideo at ac15b3b0 (2026). Names of elements and labels are theirs; everything else is made here.
 */
import { accountPage, bonusPage, framedPage, type PageAccount, type PageLook } from './nexusphp-pages.ts'
import {
  amount,
  changed,
  number,
  ratioOf,
  seedingOf,
  type Theme,
  type ThemePages,
  themeLook,
} from './nexusphp-themes.ts'

const stockBlock = /<table id="info_block"[\s\S]*?<\/table><\/td>\n<\/tr><\/table>/

interface Fork {
  readonly block: (account: PageAccount) => string
  /** What the page of the account has otherwise. */
  readonly details?: (page: string, account: PageAccount) => string
  readonly look?: PageLook
}

function pagesOf({ block, details = (page) => page, look = themeLook }: Fork, account: PageAccount): ThemePages {
  const framed = (page: string) => changed(page, stockBlock, block(account).replaceAll('$', '$$$$'))
  return {
    home: framed(framedPage(look, account, '')),
    details: details(framed(accountPage(look, account)), account),
    seeding: seedingOf(account),
    bonus: framed(bonusPage(look, account)),
  }
}

const who = ({ userId, username }: PageAccount) =>
  `<span class="nowrap"><a  href="http://site.example/userdetails.php?id=${userId}" class='PowerUser_Name'><b>${username}</b></a></span>`
const arrows = ({ seeding, leeching }: PageAccount) =>
  `<img class="arrowup" alt="Torrents seeding" title="x" src="pic/trans.gif" />${seeding}  <img class="arrowdown" alt="Torrents leeching" title="x" src="pic/trans.gif" />${leeching}`
const hitAndRuns = ({ hitAndRuns: [first] }: PageAccount) =>
  `${first?.inspecting ?? 0}/<font color="red">${first?.unreached ?? 0}</font>/10`
const inbox = ({ messages, unread }: PageAccount) =>
  `<td class="bottom" align="right"><span class="medium"> <a href="messages.php"><img class="inboxnew" src="pic/trans.gif" alt="inbox" title="x" /></a> ${messages} (${unread} 新) <a href="messages.php?action=viewmailbox&amp;box=-1"><img class="sentbox" alt="sentbox" title="x" src="pic/trans.gif" /></a> 7</span></td>`
const asBlock = (head: string, body: string, account: PageAccount) =>
  `<table id="info_block" ${head} cellpadding="4" cellspacing="0" border="0" width="100%"><tr>
	<td><table width="100%" cellspacing="0" cellpadding="0" border="0"><tr>${body}${inbox(account)}</tr></table></td>
</tr></table>`

/** The points of an hour stand in the block, under a word that ends in the one for all of them. */
const cyanbug = (hour: string, bonus: string): Fork['block'] => {
  return (account) =>
    asBlock(
      'class="user-panel"',
      `<td class="bottom" align="left"><image src='x.png' style="width:50px" /></td>
<td class="bottom" align="left"><div class="medium user-summary"><div class="user-stats-row"><!-- 退出 -->${who(account)}
<a class='nav-btn' href="logout.php">退出</a>
<font class="color_ratio">分享率:</font> <font color="">${ratioOf(account)}</font>
<font class='color_uploaded'>上传量:</font> ${amount(account.uploadedBytes)}
<font class='color_downloaded'> 下载量:</font> ${amount(account.downloadedBytes)}
<font class='color_active'>当前做种</font>
${arrows(account)}
<font class='color_mybonus'>${hour}</font>${number(account.bonusPerHour, 3)}
<font class='color_connectable'>可连接:</font><b>是</b> <font class='color_slots'>连接数：</font>无限制
<font class='color_bonus'>H&R: </font> [<a class="nav-btn" href="myhr.php">${hitAndRuns(account)}</a>]</div>
<div class="user-action-row"><a class="nav-btn" href="attendance.php">[签到已得20, 补签卡: 1]</a>
<a class='nav-btn' href="mybonus.php">${bonus}:${number(account.bonus)}</a>
<a class='nav-btn' href="invite.php?id=7">邀请发送:2(0)</a></div></div></td>`,
      account,
    )
}
const history: NonNullable<Fork['details']> = (page) =>
  changed(
    page,
    /(<tr><td width="1%" class="rowhead nowrap"[^>]*>BT时间)/,
    '<tr><td width="1%" class="rowhead nowrap" valign="top" align="right">历史积分</td><td width="99%" class="rowfollow" valign="top" align="left"><table><tr><td class="embedded"><strong>上传积分</strong>:  1.234 TB</td></tr><tr><td class="embedded"><strong>下载积分</strong>:  5.678 TB</td></tr></table></td></tr>$1',
  )

const kufei: Fork['block'] = (account) =>
  asBlock(
    'style="border-radius: 5px;"',
    `<td class="bottom" align="left"><span class="medium">${who(account)} <a href="attendance.php" class="">[签到已得20, 补签卡: 1]</a>
<font class="color_ratio">分享率:</font> <font color="">${ratioOf(account)}</font>
<font class='color_uploaded'>上传量:</font> ${amount(account.uploadedBytes)}
<font class='color_downloaded'> 下载量:</font> ${amount(account.downloadedBytes)}
<font class='color_active'>当前活动:</font> ${arrows(account)}&
<a href="mybonus.php" id="self_bonus"><font class = 'color_bonus'>魔力值 </font>${number(account.bonus)}</a><br />
<div class="divmy"><a href="myhr.php">H&R ${hitAndRuns(account)}</a> <a href="claim.php?uid=7">认领 1/2</a>
<a href="invite.php?id=7">邀请 2(0)</a> <a href="logout.php">退出</a></div></span></td>`,
    account,
  )

/** What is shown, what is thought and what is real stand behind one label: its colon is not at the label. */
const moecat: Fork['block'] = (account) =>
  asBlock(
    '',
    `<td class="bottom" align="left"><span class="medium">欢迎回来, ${who(account)}  [<a href="logout.php" title="x">退出</a>]
<br /><a href="mybonus.php"><font class = 'color_bonus'>魔力值:</font>${number(account.bonus)}</a>
<a href="invite.php"><font class = 'color_invite'>&nbsp;邀请:</font>2</a><a href="myhr.php"><font class='color_bonus'>&nbsp;&nbsp;H&amp;R:</font>${account.hitAndRuns[0]?.unreached ?? 0}</a>
<font class="color_ratio">&nbsp;分享率:</font>${ratioOf(account)}<font class='color_uploaded'>&nbsp;&nbsp;上传量:</font>${amount(account.uploadedBytes)}<font class='color_downloaded'>&nbsp;&nbsp;下载量:</font>${amount(account.downloadedBytes)}
<font class='color_active'>&nbsp;&nbsp;当前活动:</font>${arrows(account)}</span></td>`,
    account,
  )
const threefold: NonNullable<Fork['details']> = (page, account) => {
  const three = (label: string, value: string) =>
    `<tr><td class="embedded"><strong>${label}</strong>(显/虚/实):  ${value}&nbsp;/&nbsp;1.111 TB&nbsp;/&nbsp;2.222 TB</td></tr>`
  const traffic = changed(
    page,
    /(>传输<\/td><td[^>]*>)<table[\s\S]*?<\/table>/,
    `$1<table>${three('上传量', amount(account.uploadedBytes))}${three('下载量', amount(account.downloadedBytes))}</table>(虚拟,实际流量不包含删除种子)`,
  )
  const bonus = number(account.bonus)
  return changed(traffic, `align="left">${bonus}</td>`, `align="left">${bonus.replaceAll(',', '')}(12.3/每小时)</td>`)
}

const hudbt: Fork['block'] = (account) =>
  `<div id="info_block"><div class="minor-list"><ul><li>${who(account)}</li><li>[<a href="//site.example/logout.php">退出</a>]</li></ul></div>
<ul><li><a href="//site.example/messages.php" title="x"><img class="inboxnew" src="pic/trans.gif" alt="inbox" />${account.messages}(${account.unread}新)</a></li></ul>
<ul><li><a href="//site.example/mybonus.php" title="使用"><span class = 'color_bonus'>魔力值 </span>: <span id="bonus">${number(account.bonus)}</span></a></li>
<li><span class="color_ratio">分享率：</span>${ratioOf(account)}</li>
<li><span class="color_uploaded">上传量：</span><span id="uploaded">${amount(account.uploadedBytes)}</span></li>
<li><span class="color_downloaded">下载量：</span><span id="downloaded">${amount(account.downloadedBytes)}</span></li>
<li><span class='color_active'>当前活动：</span> ${arrows(account)}</li></ul></div>`

/** A line for each part, and a word for the bonus that no other site has. */
const zxpt: Fork['block'] = (account) =>
  asBlock(
    '',
    `<td class="bottom" align="left">
						<span class="medium">
							欢迎回家,
							${who(account)}
							[<a href="logout.php">退出</a>]
							[<a href="usebonus.php">萝卜应用</a>]

							<font class = 'color_bonus'>萝卜 </font>
							[<a href="mybonus.php">使用</a>]:
							${number(account.bonus)}
							<font class = 'color_invite'>邀请 </font>
							[<a href="invite.php?id=7">发送</a>]:
							3<br />

							<font class="color_ratio">分享率：</font>
							${ratioOf(account)}
							<font class='color_uploaded'>上传量：</font>
							${amount(account.uploadedBytes)}							<font class='color_downloaded'> 下载量：</font>
							${amount(account.downloadedBytes)}
							<font class='color_active'>当前活动：</font>
							<img class="arrowup" alt="Torrents seeding" title="当前做种" src="pic/trans.gif" />
							${account.seeding}
							<img class="arrowdown" alt="Torrents leeching" title="当前下载" src="pic/trans.gif" />
							${account.leeching}&nbsp;&nbsp;
						</span></td>`,
    account,
  )
const ownBonusWord: NonNullable<Fork['details']> = (page) => changed(page, />魔力值(<\/td><td width="99%")/, '>萝卜$1')

const fork = (name: string, parts: Fork, missing: Theme['missing'] = []): Theme => ({
  name,
  missing,
  pages: (account) => pagesOf(parts, account),
})

export const forks: readonly Theme[] = [
  fork('a fork of 2026, with the points of an hour in the block', {
    block: cyanbug('当前时魔:', '魔力值 使用'),
    details: history,
  }),
  fork('the same in English words', { block: cyanbug('Current Hourly Bonus:', 'Bonus Use'), details: history }),
  fork('a fork of 2023, with marks for links', { block: kufei }),
  fork('a fork of 2021, with three figures behind a label', { block: moecat, details: threefold }),
  fork('a fork of 2014, whose block is a list', { block: hudbt }),
  fork('a fork of 2013, with a word of its own for the bonus', { block: zxpt, details: ownBonusWord }),
  fork('the same where the page of the account has another word', { block: zxpt }),
]

/** One torrent in the list of a fork that pins some: until when is told in a title too. */
export interface PinnedTorrent {
  readonly name: string
  readonly promotion: string
  /** Of the promotion; of the pin. Empty for none. */
  readonly until: string
  readonly pinnedUntil: string
}

const marks = (names: readonly (readonly [string, string])[], element: string) =>
  names
    .map(
      ([name, sort]) =>
        `<${element}><a href="?sort=${sort}&amp;type=desc"><img class="${name}" src="pic/trans.gif" alt="${name}" title="x" /></a></${element.slice(0, 2)}>`,
    )
    .join('\n')
const columns = [
  ['comments', '3'],
  ['time', '4'],
  ['size', '5'],
  ['seeders', '7'],
  ['leechers', '8'],
  ['snatched', '6'],
] as const

/** The name and its marks in lists within a cell. */
export function listOfHeads({ name, promotion, until, pinnedUntil }: PinnedTorrent): string {
  const pin =
    pinnedUntil === '' ? '' : `<img class="sticky" src="pic/trans.gif" alt="Sticky" title="置顶直到${pinnedUntil}" />`
  return `<table id="torrents" class="torrents no-vertical-line" cellspacing="0" cellpadding="5" width="100%" >
<thead><tr><th style="padding: 0px;width:45px;" class="unsortable">类型</th><th value="1"><a href="?sort=1&amp;type=asc">标题</a></th>${marks(columns, 'th')}<th value="9"><a href="?sort=9">发布者</a></th></tr></thead>
<tbody><tr><td><a href="?cat=401"><img class="c_movies" src="x.gif" alt="电影" title="电影" /></a></td>
<td class="torrent"><div><div class="progress seeding" title="正在做种" style="width:125%"></div><div class="limit-width minor-list" title="正在做种"><div class="torrent-title">${pin}<h2 class='transparentbg'><a title="${name}" href="//site.example/details.php?id=41&amp;hit=1">${name}</a></h2><ul class="prs"><li>[<span class='hot'>热门</span>]</li><li><img class="${promotion}" alt="x"title="直到${until || '永久'}" src="//site.example/pic/trans.gif" /></li></ul></div><div class="torrent-title"><h3 title="纸港">纸港</h3></div></div><div class="torrent-utilty-icons minor-list-vertical"><ul><li><a href="//site.example/download.php?id=41"><img class="download" src="x.gif" alt="download" title="x" /></a></li></ul></div></td>
<td>3</td><td><time title="2026-11-19 22:33:44">1天</time></td><td>4.56<br />GB</td><td><a href="//site.example/details.php?id=41&amp;hit=1&amp;dllist=1#seeders">12</a></td><td>0</td><td><a href="viewsnatches.php?id=41">345</a></td><td><a href="//site.example/userdetails.php?id=9">sower</a></td></tr></tbody></table>`
}

/** A pin before the name in a cell of its own, what is written out behind it, and a second row with the own progress. */
export function listOfRows({ name, promotion, until, pinnedUntil }: PinnedTorrent): string {
  const pin =
    pinnedUntil === ''
      ? ''
      : `<img class="sticky" src="pic/trans.gif" alt="Sticky" title="置顶至${pinnedUntil}" />&nbsp;`
  const mark = `<img class="${promotion}" src="pic/trans.gif" alt="x" title="x" />`
  const left = until === '' ? '' : `<b>[剩余时间：<span title="${until}">1天2时</span>]</b>`
  return `<table class="torrents" cellspacing="0" cellpadding="5" width="100%"><tr>
<td class="colhead" style="padding: 0px">类型</td><td class="colhead"><a href="?sort=1&amp;type=asc">标题</a></td>${marks(columns, 'td')}<td class="colhead"><a href="?sort=9">发布者</a></td></tr>
<tr><td class="rowfollow nowrap"><a href="?cat=401"><img class="c_movies" src="x.gif" alt="电影" title="电影" /></a></td>
<td class="rowfollow" width="100%" align="left"><table class="torrentname" width="100%"><tr><td class="embedded"  width="16px">${pin}</td><td class="embedded"><a title="${name}"  href="details.php?id=41&amp;hit=1">${name}</a> <b>[<font class='hot'>热门</font>]</b> ${mark} ${left}<br />纸港</td><td width="20"><font color=red><b>保种</b></font></td><td width="40" class="embedded"><a href="download.php?id=41"><img class="download" src="pic/trans.gif" alt="download" title="x" /></a></td></tr><tr><td class="embedded" align="center" width="16px"><img src="pic/s_dl.gif" align="absmiddle"></td><td class="embedded" align="left"><div class="probar_a1" title="正在下载，进度至12.34%"><div class="probar_b1" style="width:12.34%"></div></div></td><td class="embedded" align="right"></td></tr></table></td>
<td class="rowfollow">3</td><td class="rowfollow nowrap"><span title="2026-11-19 22:33:44">1天<br />2时</span></td><td class="rowfollow">4.56<br />GB</td><td class="rowfollow" align="center"><b><a href="details.php?id=41&amp;hit=1&amp;dllist=1#seeders">12</a></b></td><td class="rowfollow">0</td><td class="rowfollow"><a href="viewsnatches.php?id=41"><b>345</b></a></td><td class="rowfollow">x</td></tr></table>`
}

/** Rows with their number first; below the name the second line and its tags, each in an element, and marks that are not shown. */
export function listOfNumbers(name: string, second: string, tags: readonly string[]): string {
  const tagMarks = tags.map(
    (tag) =>
      `<span style="background-color:#00f;color:#fff;border-radius:4px;margin:0 4px 0 0;padding:1px 2px" title="${tag}">${tag}</span>`,
  )
  return `<table class="torrents" cellspacing="0" cellpadding="5" width="100%"><tr>
<td class="colhead" style="padding:0 6px;text-align:center">#</td><td class="colhead" style="padding: 0px">类型</td><td class="colhead"><a href="?sort=1&amp;type=asc">标题</a></td>${marks(columns, 'td')}<td class="colhead"><a href="?sort=9">发布者</a></td></tr>
<tr><td class="rowfollow" align="center" valign="middle" style='padding:0 6px;color:#8aa0b6'>1</td><td class="rowfollow nowrap"><a href="?cat=401"><img class="c_movies" src="x.gif" alt="电影" title="电影" /></a></td>
<td class="rowfollow" width="100%" align="left" style='padding: 0px'><table class="torrentname" width="100%"><tr><td class="embedded" style="text-align: center;width: 46px"><img src="x.svg" data-src="x" class="nexus-lazy-load" /></td><td class="embedded" style='padding-left: 5px'><span class="torrent-card-rating-source" data-rating="8.8" hidden></span><span class="tt-name"><a title="${name}" href="details.php?id=41&amp;hit=1"><b>${name}</b></a> <img class="pro_free" src="pic/trans.gif" alt="Free" title="免费" /></span><br />${second === '' ? '' : `<span class="tt-sub">${second}</span>`}${tags.length === 0 ? '' : `<span class="tt-tags">${tagMarks.join('')}</span>`}</td><td width="20" class="embedded"><a href="download.php?id=41"><img class="download" src="pic/trans.gif" alt="download" title="x" /></a></td></tr></table></td>
<td class="rowfollow">3</td><td class="rowfollow nowrap"><span title="2026-11-19 22:33:44">1天<br />2时</span></td><td class="rowfollow">4.56<br />GB</td><td class="rowfollow" align="center"><b><a href="details.php?id=41&amp;hit=1&amp;dllist=1#seeders">12</a></b></td><td class="rowfollow">0</td><td class="rowfollow"><a href="viewsnatches.php?id=41"><b>345</b></a></td><td class="rowfollow">x</td></tr></table>`
}

/** Of a row: whether it is pinned, what its colour says, and which mark stands behind its name. */
export type ColouredRow = readonly [pinned: boolean, colour: string, mark: string]

/** A form around all rows. Pinned rows are coloured as if they were promoted, in place of what a promotion would show. */
export function listInForm(rows: readonly ColouredRow[]): string {
  const row = ([pinned, colour, mark]: ColouredRow, index: number) => {
    const colours = colour === '' ? '' : ` class='${colour}'`
    const pin = pinned ? '<img class="sticky" src="pic/trans.gif" alt="Sticky" title="置顶" />&nbsp;' : ''
    const promotion = mark === '' ? '' : ` <img class="${mark}" src="pic/trans.gif" alt="x" title="x" />`
    return `<tr${colours}>
<td class="rowhead_center" valign="middle" style='padding: 0px'><a href="?cat=401"><img class="c_movies" src="x.gif" alt="电影" title="电影" /></a></td>
<td class="rowhead_right" width="100%" align="left"><table class="torrentname" width="100%"><tr${colours}><td class="embedded">${pin}<a title="Paper.${index}"  href="details.php?id=${index + 1}&amp;hit=1"><b>Paper.${index}</b></a>${promotion}<br />纸港</td><td width="20" class="embedded"><a href="download.php?id=${index + 1}"><img class="download" src="pic/trans.gif" alt="download" title="x" /></a></td>
</tr></table></td><td class="rowhead_center">0</td><td class="rowhead_center nowrap"><span title="2026-11-19 22:33:44">1天<br />2时</span></td><td class="rowhead_center">4.56<br />GB</td><td class="rowfollow" align="center"><b><a href="details.php?id=${index + 1}&amp;hit=1&amp;dllist=1#seeders">12</a></b></td>
<td class="rowhead_center">0</td><td class="rowhead_center"><a href="viewsnatches.php?id=${index + 1}"><b>345</b></a></td><td class="rowhead_center">x</td>
</tr>`
  }
  return `<table class="torrents" cellspacing="0" cellpadding="5" width="100%">
	<form id="form_torrent" name="form_torrent" method="post" action="">
<tr><td class="colhead" style="padding: 0px">类型</td><td class="colhead"><a href="?sort=1&amp;type=asc">标题</a></td>${marks(columns, 'td')}<td class="colhead"><a href="?sort=9">发布者</a></td></tr>
${rows.map(row).join('\n')}
</form></table>`
}

/** Two lines a torrent. */
export function listOfPairs(names: readonly string[]): string {
  const over = columns.slice(3)
  const row = (name: string, index: number) => `<tr>
<td class="rowfollow nowrap"  rowspan ="2" valign="middle" style='padding: 0px'><a href="?cat=401"><img class="c_movies" src="x.gif" alt="电影" title="电影" /></a></td>
<td  rowspan ="2" class="rowfollow" width="100%" align="left"><table  width="100%"><tr><td class="embedded"><a title="${name}"  href="details.php?id=${index + 1}&amp;hit=1"><b>${name}</b></a> <img class="pro_free" src="pic/trans.gif" alt="" title="免费" /><br />纸港</td><td  rowspan ="2" width="20" class="embedded"><a href="download.php?id=${index + 1}"><img class="download" src="pic/trans.gif" alt="download" title="x" /></a></td>
</tr></table></td><td   rowspan ="2"  class="rowfollow" align="center" ><b><a href="details.php?id=${index + 1}&amp;hit=1&amp;dllist=1#seeders">12</a></b></td>
<td rowspan ="2"  class="rowfollow"  >0</td>
<td class="rowfollow" rowspan ="2" ><a href="viewsnatches.php?id=${index + 1}"><b>345</b></a></td>
<td  COLSPAN ="3" class="rowfollow"><a href="userdetails.php?id=9">sower</a></td>
</tr>
<tr>
<td   class="rowfollow" >2</td><td class="rowfollow nowrap"><span title="2026-11-19 22:33:44">5天21时</span></td><td class="rowfollow">4.56GB</td></tr>`
  return `<table class="torrents" cellspacing="0" cellpadding="5" width="100%">
<tr><td class="colhead" style="padding: 0px" rowspan ="2">类型</td><td class="colhead" rowspan ="2"><a href="?sort=1&amp;type=asc">标题</a><a href="?sort=11&amp;type=desc">[评分]</a></td>${marks(over, 'td rowspan ="2"')}<td class="colhead" COLSPAN ="3"><a href="?sort=9&amp;type=desc">发布者</a></td></tr>
<tr>${marks(columns.slice(0, 3), 'td')}</tr>
${names.map(row).join('\n')}</table>`
}
