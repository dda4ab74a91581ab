/**
 * Shapes of pages of single sites that differ from the software's own, as public programs keep them for their tests:
 * sunerpy/pt-tools at 3f4ce29 (2026, `site/v2/definitions/*_fixture_test.go`, named here by the site) and, for the page of
 * the bonus, a reader of 2026 that counts two kinds of torrents apart; maximuml/tracker-lp-bits at 013f81c (2026,
 * `resources/views/layouts/partials/header.blade.php`), whose way out is a form. Names of elements, words and the order of cells are
 * theirs; everything else is made here.
 */
import type { PageAccount } from './nexusphp-pages.ts'
import { amount, number, ratioOf, themeTorrents } from './nexusphp-themes.ts'

type Home = (account: PageAccount) => string

const who = ({ userId, username }: PageAccount) =>
  `<span class="nowrap"><a href="userdetails.php?id=${userId}" class='User_Name'><b>${username}</b></a></span>`
const traffic = (account: PageAccount) =>
  `<font class="color_ratio">分享率:</font> ${ratioOf(account)} <font class='color_uploaded'>上传量:</font> ${amount(account.uploadedBytes)} <font class='color_downloaded'> 下载量:</font> ${amount(account.downloadedBytes)}`
const pictures = ({ seeding, leeching }: PageAccount) =>
  `<img class="arrowup" src="pic/trans.gif" />${seeding} <img class="arrowdown" src="pic/trans.gif" />${leeching}`
const block = (inside: string) =>
  `<html><body><table id="info_block"><tr><td>${inside} [<a href="logout.php">退出</a>]</td></tr></table></body></html>`

export const homesByLink: Readonly<Record<string, Home>> = {
  luckpt: (one) =>
    block(
      `${who(one)} <font class = 'color_bonus'>幸运星 </font>[<a href="mybonus.php">详情</a>][<a href="bonusshop.php">商城</a>]: ${number(one.bonus)} ${traffic(one)} ${pictures(one)}`,
    ),
  joyhd: (one) =>
    block(
      `${who(one)} <font class='color_bonus'>银元 </font>[<a href="mybonus.php">使用</a>丨<a href="usebonus.php">游戏</a>]: ${number(one.bonus)} ${traffic(one)} ${pictures(one)}`,
    ),
  audiences: (one) =>
    block(
      `${who(one)} [<a href="mybonus.php">爆米花系统</a>] :\n${number(one.bonus)} ${traffic(one)} ${pictures(one)}`,
    ),
  zmpt: (one) =>
    block(
      `${who(one)} ${traffic(one)} ${pictures(one)} <a href="mybonus.php" id="self_bonus"><font class='color_bonus'> 电力值 </font> ${number(one.bonus)}</a>`,
    ),
}

export const homesOfSigns: Readonly<Record<string, Home>> = {
  pttime: (one) =>
    block(
      `${who(one)} <font class="color_ratio">分享率:</font>${ratioOf(one)} <font class="fcg">上传:</font>${amount(one.uploadedBytes)} <font class="fcr">下载:</font>${amount(one.downloadedBytes)} <font title="当前做种" class="fcg">⬆</font>${one.seeding} <font title="当前下载" class="fcr">⬇</font>${one.leeching} 魔力值(84.36魔力/小时) [<a href="mybonus.php">使用</a>]: ${number(one.bonus)}`,
    ),
  'pttime before': (one) =>
    block(
      `${who(one)} ${traffic(one)} <font class="color_active">当前活动:</font><i alt="Torrents seeding" title="当前做种" class="arrowup icon fcr"></i>${one.seeding} <i alt="Torrents seeding" title="当前下载" class="arrowdown icon fcg"></i>${one.leeching} <font>魔力值 (106.76魔力/小时,补签卡:0)</font> [<a href="mybonus.php" class="fcs">魔力使用&amp;说明</a>]: ${number(one.bonus)}(获得35,<a href="attendance.php">详情</a>)`,
    ),
  keepfrds: (one) =>
    block(
      `${who(one)} <span class='color_bonus'>魔力值 </span> [<a href="/mybonus.php">使用</a>]: <span id="totalBonus">${number(one.bonus)}</span> <i class="fab"></i> [<span>54.7</span> /h] ${traffic(one)} <a href="/torrents.php?option-torrents=3"><i class="fas fa-seedling" alt="Torrents seeding" title="当前做种"></i> ${one.seeding}</a> <a href="/torrents.php?option-torrents=5"><i class="fas" alt="Torrents leeching" title="当前下载"></i> ${one.leeching}</a>`,
    ),
  byrbt: (one) =>
    `<html><body><table><tr><td class="bottom navbar-user-data">${who(one)} <span class='color_bonus'>魔力值 </span>[<a href="mybonus.php">明细</a>]: ${number(one.bonus)} ${traffic(one)} <span class='color_active'>当前活动：</span><div class='icons std_head arrowup' title="当前做种"></div>${one.seeding}<div class='icons std_head arrowdown' title="当前下载"></div>${one.leeching}</td></tr></table></body></html>`,
  '52pt': (one) =>
    block(
      `${who(one)} ${traffic(one)} <font class='color_bonus'>魔力值 </font>[<a href="mybonus.php">使用</a>]: ${number(one.bonus)} <img class="arrowup" src="pic/trans.gif" />做种数:${one.seeding} <img class="arrowdown" src="pic/trans.gif" />下载数:${one.leeching}`,
    ),
  cspt: (one) =>
    `<html><body><div class="user-info-container"><span class="user-id">${who(one)}</span><p>UID：9</p>${[
      `<a href="userdetails.php?id=${one.userId}"><font class="color_uploaded" >上传量:</font> ${amount(one.uploadedBytes)} </a>`,
      `<a href="userdetails.php?id=${one.userId}"><font class="color_downloaded" > 下载量:</font> ${amount(one.downloadedBytes)} </a>`,
      `<a href="userdetails.php?id=${one.userId}"><font class="color_ratio" >分享率:</font>${ratioOf(one)}</a>`,
      `<svg><title>元宝</title><path d="M9 8" /></svg>&nbsp;<a href="mybonus.php?id=9">${number(one.bonus)}</a>`,
      `<svg><title id="downing">当前做种</title><path d="M9 8" /></svg>&nbsp;<a href="userdetails.php?id=${one.userId}">${one.seeding}</a>`,
      `<svg><title id="downing">正在下载</title><path d="M9 8" /></svg>&nbsp;<a href="userdetails.php?id=${one.userId}">${one.leeching}</a>`,
    ]
      .map((item) => `<div class="menu-base-info-items">${item}</div>`)
      .join('')}</div></body></html>`,
}

/** Traffic beside pictures that are called by its words: the reader is known, and the account's own page tells the rest. */
export const homeOfPictures: Home = (one) =>
  `<html><body><div class="absolute"><div>${who(one)}</div><div>[分享率]:&nbsp;${ratioOf(one)}</div><div><img src="bean.svg" alt="憨豆"><a href="mybonus.php"><div>${number(one.bonus, 0)}</div></a></div><div><img src="up.svg" alt="上传">&nbsp;${amount(one.uploadedBytes)}</div><a href="userdetails.php?id=${one.userId}&action=2"><div><img src="u.svg" alt="做种数">&nbsp;${one.seeding}</div></a><div><img src="down.svg" alt="下载">&nbsp;${amount(one.downloadedBytes)}</div><a href="userdetails.php?id=${one.userId}&action=3"><div><img src="d.svg" alt="下载数">&nbsp;${one.leeching}</div></a></div></body></html>`

/** As `u2` writes its points in the block: as coins, each metal in a mark of its own. */
export const homeOfCoins = (one: PageAccount, word: string) =>
  block(
    `${who(one)} ${traffic(one)} <a href="ucoin.php" class="faqlink">${word}</a>: <span title="0.0010 逸"><span class="ucoin-symbol ucoin-gem">9</span><span class="ucoin-symbol ucoin-gold">69</span></span> ${pictures(one)}`,
  )

/** As `ubits` tells the points of an hour: apart for what it made itself, for the rest, and for its other points. */
export const hourInParts = (own: string, other: string) =>
  `<html><body><div><div>对于非官奖励，你当前每小时能获取${other}个U币</div><div>对于官种奖励，你当前每小时能获取${own}个U币</div><div>对于做种积分，你当前每小时能获取18.598</div></div></body></html>`

type Torrent = (typeof themeTorrents)[number]
const heads = [
  '<td class="colhead">类型</td>',
  '<td class="colhead"><a href="?sort=1">标题</a></td>',
  ...['comments', 'time', 'size', 'seeders', 'leechers', 'snatched'].map(
    (name) => `<td class="colhead"><img class="${name}" src="pic/trans.gif" alt="${name}" /></td>`,
  ),
  '<td class="colhead">发布者</td>',
].join('')

interface Row {
  readonly promotion?: (torrent: Torrent) => string
  readonly tags?: string
  readonly count?: (torrent: Torrent, kind: 'seeders' | 'leechers' | 'snatched') => string
}

const linked: Required<Row>['count'] = (one, kind) => {
  const count: number = one[kind]
  if (kind === 'snatched') return `<a href="viewsnatches.php?id=${one.id}"><b>${count}</b></a>`
  return count === 0 ? '0' : `<b><a href="details.php?id=${one.id}&amp;hit=1&amp;dllist=1#${kind}">${count}</a></b>`
}

function rowOf(one: Torrent, { promotion = pictureOf, tags = '', count = linked }: Row): string {
  return `<tr><td class="rowfollow nowrap"><a href="?cat=401"><img class="c_movie" src="c.gif" alt="电影" title="电影" /></a></td><td class="rowfollow"><table class="torrentname"><tr><td class="embedded"><a title="${one.name}" href="details.php?id=${one.id}&amp;hit=1"><b>${one.name}</b></a> ${promotion(one)}<br />${tags}${one.second}</td></tr></table></td><td class="rowfollow"><a href="comment.php?pid=${one.id}">4</a></td><td class="rowfollow nowrap"><span title="2026-11-20 01:02:03">1天<br />2时</span></td><td class="rowfollow">${one.gib.toFixed(2)}<br />GB</td><td class="rowfollow">${count(one, 'seeders')}</td><td class="rowfollow">${count(one, 'leechers')}</td><td class="rowfollow">${count(one, 'snatched')}</td><td class="rowfollow"><i>匿名</i></td></tr>`
}

function pictureOf({ discount }: Torrent): string {
  const name = { FREE: 'pro_free', '2XFREE': 'pro_free2up', NONE: '' }[discount]
  return name === '' ? '' : `<img class="${name}" src="pic/trans.gif" />`
}

const page = (...tables: readonly string[]) => `<html><body>${tables.join('<br />')}</body></html>`
const table = (rows: string) => `<table class="torrents" cellspacing="0" width="100%">${rows}</table>`
const rowsOf = (row: Row) => themeTorrents.map((one) => rowOf(one, row)).join('')

/** As `qingwa` shows what is on: a label as the software's tags are, of which the tooltip tells more. */
export const listOfLabels = (until: string) => {
  const label = (name: string, kind: string, tooltip: boolean) =>
    `<span style="display: inline-block; background-color: #0034EF; border-radius: 3px;" alt="${name}"${tooltip ? ` onmouseover="domTT_activate(this, event, 'content', '&lt;b&gt;&lt;font class=&quot;${kind}&quot;&gt;x&lt;/font&gt;&lt;/b&gt;剩余时间：&lt;b&gt;&lt;span title=&quot;${until}&quot;&gt;1天9时&lt;/span&gt;&lt;/b&gt;', 'trail', false);"` : ''}>${name}</span>`
  const promotion = ({ discount }: Torrent) =>
    ({ FREE: label('Free', 'free', true), '2XFREE': label('2X Free', 'twoupfree', false), NONE: '' })[discount]
  const tag = (word: string) => `<span style="color:#fff;border-radius:4px;padding:1px 4px;" title="">${word}</span>`
  return page(table(`<tr>${heads}</tr>${rowsOf({ promotion, tags: tag('官方') + tag('中字') })}`))
}

/** As `pttime` shows what is on: a word with its kind in the class. */
export const listOfWordMarks = (kind: string) =>
  page(table(`<tr>${heads}</tr>${rowsOf({ promotion: () => `<font class='promotion ${kind}'>x</font>` })}`))

/** As `hdarea` shows a list: below one like it that announces, and has a title for its heads. */
export const listBelowAnother = () => {
  const other = `<tbody><tr><td class="colhead_notice" colspan="9">预告区 - [<a href="advance_notice.php">更多</a>]</td></tr></tbody><tbody>${rowOf({ ...themeTorrents[0], id: 99 as 71, name: 'Announced.2027' as 'Paper.Harbour.2026.1080p' }, { count: () => '<b>0</b>' })}</tbody>`
  return page(table(other), table(`<tr>${heads}</tr>${rowsOf({})}`))
}

/** A list without heads: as the software links its counts, and as sites do that do not. */
export const listWithoutHeads = (isLinked: boolean) =>
  page(table(rowsOf(isLinked ? {} : { count: (one, kind) => `${one[kind]}` })))

/** As `keepfrds` writes its heads, of which one word alone stands for who downloads. */
export const listOfWords = () => {
  const words = ['类型', '标题', '评论', '存活', '大小', '做种', '下载', '完成', '发布者']
  return page(table(`<tr>${words.map((word) => `<td class="colhead">${word}</td>`).join('')}</tr>${rowsOf({})}`))
}

/** As `hhanclub` marks what is on, and when it ends, in a list of parts. */
export const listOfPartsUntil = (marks: readonly string[], until: string) =>
  page(
    `<div class="torrent-table-for-spider">${marks
      .map(
        (mark, index) =>
          `<div class="torrent-table-sub-info"><div class="torrent-title"><a href='details.php?id=${index + 1}&hit=1' class='torrent-info-text-name'>Paper.${index}<span class='new'>[新]</span></a><div class='torrent-info-text-small_name'>纸港</div><div><span class="promotion-tag promotion-tag-${mark}" >x</span></div><div>[&nbsp;剩余时间：<span title="${until}">7时21分钟</span>&nbsp;]</div></div><div class="torrent-info"><div class="torrent-info-text-size"> 17.50 GB </div><div class="torrent-info-text-added"><span title="2026-11-20 01:02:03">38分钟</span></div><div class="torrent-info-text-seeders"><a href="details.php?id=${index + 1}&amp;dllist=1#seeders">12</a></div><div class="torrent-info-text-leechers"><a href="details.php?id=${index + 1}&amp;dllist=1#leechers">3</a></div><div class="torrent-info-text-finished"><a href='/viewsnatches.php?id=${index + 1}'>7</a></div></div></div>`,
      )
      .join('<hr/>')}</div>`,
  )

/** Lists of the same torrents, each of another site. */
export const recordedLists: readonly string[] = [
  listOfLabels('2026-11-29 00:47:50'),
  listWithoutHeads(true),
  listWithoutHeads(false),
  listOfWords(),
]

/** A bar in rows of which the first names the reader, and the traffic stands in the next. */
export const homeOfForm = (one: PageAccount) =>
  `<html><body><header><nav><a href="torrents.php">Torrents</a></nav><div class="nxm-userbar"><div class="nxm-userbar__row"><span>Welcome,</span> ${who(one)} <span class="nxm-userbar__links"><form method="post" action="logout.php"><button type="submit">[logout]</button></form> <a href="usercp.php">[User CP]</a> <a href="mybonus.php">Bonus: ${number(one.bonus)}</a> <a href="attendance.php">[Attend got: 20, card: 1]</a> <a href="invite.php?id=${one.userId}">Invite: 2</a></span></div>
<div class="nxm-userbar__row"><span class="nxm-stat"><span class="nxm-stat__label">Ratio:</span> <span class="nxm-stat__value">${ratioOf(one)}</span></span><a href="messages.php" class="nxm-stat"><span class="nxm-stat__label">Messages</span> <span class="nxm-stat__value">12 <b>(${one.messages} New)</b></span></a></div></div></header></body></html>`
