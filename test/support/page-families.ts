/**
 * Pages of software that is a relative of the one most sites run, cell by cell as its own templates write them. Sources:
 * tbdevnet/tbdev at 965e99d8 (2011: `include/bittorrent.php`, `torrenttable_functions.php`, `browse.php`, `userdetails.php`,
 * `lang/en`), Empornium/Luminance at 23b568c1 (2024: `header_bottom.html.twig`, `torrent_table.html.twig`, `user.html.twig`,
 * `torrent_icons`) and cybernet/CyBerFuN-xBTiT at 1352351e (2011: `mainusertoolbar_block.php`, `header_block.php`,
 * `usercp.main.tpl`, `torrent.list.tpl`, `torrents.php`). Names of elements, labels and the order of cells are theirs;
 * everything else is made here.
 */
const kib = 1024

export interface FamilyAccount {
  readonly id: number
  readonly name: string
  readonly level: string
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  readonly bonus: number
  readonly unread: number
  readonly seeds: readonly FamilyTorrent[]
}

export interface FamilyTorrent {
  readonly id: number
  readonly name: string
  readonly category: string
  readonly sizeBytes: number
  readonly seeders: number
  readonly leechers: number
  readonly snatched: number
  readonly free: boolean
  readonly doubled: boolean
}

const gib = kib ** 3
/** No two figures are alike, so that one read for another shows. */
export const familyTorrents: readonly FamilyTorrent[] = [
  {
    id: 71,
    name: 'Paper.Harbour.2026.1080p.Harbour',
    category: 'Movies',
    sizeBytes: 4.5 * gib,
    seeders: 120,
    leechers: 7,
    snatched: 1310,
    free: true,
    doubled: false,
  },
  {
    id: 72,
    name: 'Slow.Lantern.S01.2160p.Lantern',
    category: 'TV',
    sizeBytes: 1234.5 * gib,
    seeders: 3,
    leechers: 0,
    snatched: 0,
    free: false,
    doubled: true,
  },
  {
    id: 73,
    name: 'Quiet.Tide.2025.FLAC.Quiet.Tide',
    category: 'Music',
    sizeBytes: gib / 2,
    seeders: 0,
    leechers: 12,
    snatched: 44,
    free: true,
    doubled: true,
  },
  {
    id: 74,
    name: 'Paper.Harbour.2026.720p.Harbour',
    category: 'Movies',
    sizeBytes: 1.25 * gib,
    seeders: 8,
    leechers: 1,
    snatched: 2,
    free: false,
    doubled: false,
  },
]

export const familyAccount: FamilyAccount = {
  id: 4711,
  name: 'walker7',
  level: 'Power User',
  uploadedBytes: 12.5 * kib * gib,
  downloadedBytes: 2.25 * kib * gib,
  bonus: 34_567.89,
  unread: 5,
  seeds: familyTorrents.slice(0, 3),
}

export interface FamilyPages {
  readonly home: (account: FamilyAccount) => string
  readonly details: (account: FamilyAccount) => string
  readonly list: (account: FamilyAccount, torrents: readonly FamilyTorrent[]) => string
}

export const fixed = (value: number, digits: number) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
export const whole = (value: number) => fixed(value, 0)

/** With two digits, the unit changed at a thousand of the one below. */
export function thousandSize(bytes: number): string {
  for (const [power, unit] of [
    [1, 'kB'],
    [2, 'MB'],
    [3, 'GB'],
  ] as const)
    if (bytes < 1000 * kib ** power) return `${fixed(bytes / kib ** power, 2)} ${unit}`
  return `${fixed(bytes / kib ** 4, 2)} TB`
}

/** With a third digit from terabytes on. */
function binarySize(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const
  const step = Math.max(
    0,
    units.findIndex((_, index) => bytes < kib ** (index + 1)),
  )
  return `${fixed(bytes / kib ** step, step >= 4 ? 3 : 2)} ${units[step]}`
}

/** What a page written in `thousandSize` or `binarySize` tells of a size. */
export function toldBytes(bytes: number, isBinary: boolean): number {
  const [amount = '', unit = ''] = (isBinary ? binarySize(bytes) : thousandSize(bytes)).split(' ')
  return Math.trunc(Number(amount.replaceAll(',', '')) * kib ** ' kmgtp'.indexOf(unit.charAt(0).toLowerCase()))
}

export const ratioOf = ({ uploadedBytes, downloadedBytes }: FamilyAccount) => uploadedBytes / downloadedBytes

const tbdevFrame = (
  account: FamilyAccount,
  body: string,
) => `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN">
<html xmlns='http://www.w3.org/1999/xhtml'><head><meta name='generator' content='x' /><title>site</title></head>
<body><div id='wrapper'><div id='header'><div class='statusbar'>
<div style='float:left;'>&nbsp;
<span title="Reputation"><img src='pic/rep/pos.gif' alt='' />7</span>, Ratio:&nbsp;${fixed(ratioOf(account), 2)} &nbsp;&nbsp;Uploaded:&nbsp;${thousandSize(account.uploadedBytes)}
&nbsp;&nbsp;Downloaded:&nbsp;${thousandSize(account.downloadedBytes)}
&nbsp;&nbsp;Active Torrents:&nbsp;<img alt='Seeding' title='Seeding' src='pic/arrowup.gif' />&nbsp;${account.seeds.length}
&nbsp;&nbsp;<img alt='Leeching' title='Leeching' src='pic/arrowdown.gif' />&nbsp;0
</div><p style='text-align:right;'>Fri, 20 Nov 2026 10:00:00 +0000</p></div>
<div class='subheader'><div class='logo'><div class='profile'><div class='status_avatar'><a href='userdetails.php?id=${account.id}'><img src='images/default_thumb.png' alt='' /></a></div>
<div class='username'><p><a href='userdetails.php?id=${account.id}'>${account.name}</a></p></div>
<div class='messagesbox'><p><a href='messages.php'>${account.unread > 0 ? `<span class='msgalert'><small>${account.unread}</small></span>` : '0'}</a></p></div>
<ul><li><a class='bold' href='logout.php'>Logout</a></li></ul>
<div class='rlink'><a class='bold' href='my.php'>Profile</a>&nbsp;&nbsp;&nbsp;<a class='bold' href='rules.php'>Rules</a></div>
</div></div></div></div><div id='content'>${body}</div></div></body></html>`

const tbdevRow = (head: string, value: string) =>
  `<tr><td class='rowhead'>${head}</td><td align='left'>${value}</td></tr>\n`

function tbdevSeeds(seeds: readonly FamilyTorrent[]): string {
  const rows = seeds.map(
    ({ id, name, category, sizeBytes, seeders, leechers }) =>
      `<tr><td style='padding: 0px'><img src="pic/caticons/x.png" title="${category}" alt="${category}" width='42' height='42' /></td>
<td><a href='details.php?id=${id}&amp;hit=1'><b>${name}</b></a></td><td align='center'>500<br />hours</td><td align='center'>${thousandSize(sizeBytes).replace(' ', '<br />')}</td><td align='right'>${whole(seeders)}</td><td align='right'>${whole(leechers)}</td><td align='center'>1.50<br />GB</td>
<td align='center'>750.00<br />MB</td><td align='center'><font color='#ffffff'>2.000</font></td></tr>\n`,
  )
  return `<table class='main' border='1' cellspacing='0' cellpadding='5'><tr><td class='colhead' align='center'>Type</td><td class='colhead'>Name</td><td class='colhead' align='center'>TTL</td><td class='colhead' align='center'>Size</td><td class='colhead' align='right'>Se.</td><td class='colhead' align='right'>Le.</td><td class='colhead' align='center'>Upl.</td>
<td class='colhead' align='center'>Downl.</td><td class='colhead' align='center'>Ratio</td></tr>\n${rows.join('')}</table>\n`
}

export const tbdev: FamilyPages = {
  home: (account) => tbdevFrame(account, '<div class="cblock">News</div>'),
  details: (account) =>
    tbdevFrame(
      account,
      `<div class='cblock'><div class='cblock-header'>${account.name}</div><div class='cblock-lb'></div><div class='cblock-content'><table width='100%' border='1' cellspacing='0' cellpadding='5'>
<tr><td class='rowhead' style='width:1%;'>Join&nbsp;date</td><td style='width:595px;text-align:left;'>Oct 5 2020, 10:22 PM</td></tr>
${tbdevRow('Last&nbsp;seen', 'Today, 09:58 AM')}${tbdevRow('Uploaded', thousandSize(account.uploadedBytes))}${tbdevRow('Downloaded', thousandSize(account.downloadedBytes))}<tr><td class='rowhead' style='vertical-align: middle'>Share ratio</td><td align='left' valign='middle' style='padding-top: 1px; padding-bottom: 0px'><table border='0' cellspacing='0' cellpadding='0'><tr><td class='embedded'><font color='#ffffff'>${fixed(Math.floor(ratioOf(account) * 1000) / 1000, 3)}</font></td><td class='embedded'>&nbsp;&nbsp;<img src="pic/smilies/w00t.gif" alt='' /></td></tr></table></td></tr>
${tbdevRow('Class', account.level)}${tbdevRow('Torrent&nbsp;comments', '12')}${tbdevRow('Forum&nbsp;posts', '34')}${account.seeds.length === 0 ? '' : `<tr valign='top'><td class='rowhead'>Currently&nbsp;seeding</td><td align='left'>${tbdevSeeds(account.seeds)}</td></tr>\n`}</table></div></div>`,
    ),
  list: (account, torrents) => {
    const rows = torrents.map(
      ({ id, name, category, sizeBytes, seeders, leechers, snatched }) => `<tr>
<td align='center' style='padding: 0px'><a href='browse.php?cat=1'><img src='pic/caticons/x.png' alt='${category}' /></a></td>
<td align='left'><a href='details.php?id=${id}&amp;hit=1' title='${name}'><strong>${name.slice(0, 15)}...${name.slice(-12)}</strong></a>
</td>
<td align='right'><b><a href='filelist.php?id=${id}'>7</a></b></td>
<td align='right'><b><a href='details.php?id=${id}&amp;hit=1&amp;tocomm=1'>3</a></b></td>
<td align='center'><span style='white-space: nowrap;'>Nov 20 2026<br /> 10:22 PM</span></td>
<td align='center'>500<br />hours</td>

<td align='center'>${thousandSize(sizeBytes).replace(' ', '<br />')}</td>
<td align='center'>${whole(snatched)}<br />times</td>
${seeders > 0 ? `<td align='right'><div class='bold' style='color:#ff0000;'><a href='peerlist.php?id=${id}#seeders'>${seeders}</a></div></td>` : `<td align='right'><span class='red'>0</span></td>`}
${leechers > 0 ? `<td align='right'><b><a href='peerlist.php?id=${id}#leechers'>${whole(leechers)}</a></b></td>` : `<td align='right'>0</td>`}
<td align='center'><a href='userdetails.php?id=99'><b>somebody</b></a></td>
</tr>\n`,
    )
    return tbdevFrame(
      account,
      torrents.length === 0
        ? "<div class='info'><p><b>Nothing found!</b>, Try again with a refined search string.</p>\n</div>"
        : `<table border='1' cellspacing='0' cellpadding='5'>
<tr><td class='colhead' align='center'>Type</td><td class='colhead' align='left'>Name</td><!--<td class='heading' align='left'>DL</td>-->
<td class='colhead' align='right'>Files</td><td class='colhead' align='right'>Comm.</td><!--<td class='colhead' align='center'>Rating</td>--><td class='colhead' align='center'>Added</td><td class='colhead' align='center'>TTL</td><td class='colhead' align='center'>Size</td><!--<td class='colhead' align='right'>Views</td>--><td class='colhead' align='center'>Snatched</td><td class='colhead' align='right'>Seeders</td><td class='colhead' align='right'>Leechers</td><td class='colhead' align='center'>Upped&nbsp;by</td></tr>
${rows.join('')}</table>\n`,
    )
  },
}

const icon = (classes: string, ...glyphs: readonly string[]) =>
  `<div class="icon_container"><div class="icon_stack">${glyphs.map((glyph) => `<i class="font_icon ${classes} icon_${glyph}"></i>`).join('')}</div></div>`
const ago = (time: string) => `<span class="time" alt="${time}" title="${time}">1 day, 2 hours ago</span>`

const luminanceFrame = (
  account: FamilyAccount,
  body: string,
) => `<!DOCTYPE html><html><head><title>site</title></head><body><div id="wrapper"><div id="header"><div id="header_bottom">
<div id="major_stats_left"><ul id="userinfo_major"><li><a id="nav_seeding" class="user_peers" href="/torrents.php?type=seeding&amp;userid=${account.id}" title="View seeding torrents">${icon('nav_icons', 'nav_seeding')} seed: ${account.seeds.length > 0 ? `<span id="nav_seeding_r">${account.seeds.length}</span>` : '0'}</a></li></ul></div>
<div id="major_stats"><ul id="userinfo_username"><li id="nav_userinfo" class="normal"><a href="/user.php?id=${account.id}" class="username">${icon('nav_icons', 'nav_userinfo')} ${account.name} </a>
<ul><li id="navmenu_inbox" class="normal"><a onmousedown="Stats('inbox');" href="/user/inbox/received">${icon('nav_icons', 'nav_inbox')} Inbox ${account.unread > 0 ? `(${account.unread})` : ''}</a></li>
<li id="navmenu_uploaded" class="normal"><a onmousedown="Stats('uploads');" href="/torrents.php?type=uploaded&amp;userid=${account.id}">Uploads</a></li>
<li id="nav_logout" class="normal"><form method="POST" id="logout" action="/logout" /><input type="hidden" name="token" value="x" /></form><a href="javascript:{}" onclick="document.getElementById('logout').submit(); return false;">Logout</a></li></ul></li></ul></div>
</div></div><div id="content">${body}</div></div></body></html>`

export const luminance: FamilyPages = {
  home: (account) => luminanceFrame(account, '<div class="box">News</div>'),
  details: (account) =>
    luminanceFrame(
      account,
      `<div class="sidebar"><div class="head colhead_dark">Stats</div><div class="box"><ul class="stats nobullet">
<li>Joined: ${ago('Oct 05 2020, 22:22')}</li><li>Last Seen: ${ago('Nov 20 2026, 09:58')}</li>
<li>Uploaded: ${binarySize(account.uploadedBytes)}</li>
<li>Downloaded: ${binarySize(account.downloadedBytes)}</li>
<li>Ratio: <span class="r50">${fixed(Math.floor(ratioOf(account) * 100) / 100, 2)}</span></li>
<li>Required ratio: 0.60</li><li><a href="/userhistory.php?action=token_history&amp;userid=${account.id}">Slots</a>: 4</li></ul></div>
<div class="head colhead_dark">Percentile Rankings (Hover for values)</div><div class="box"><ul class="stats nobullet">
<li title="${binarySize(account.uploadedBytes)}">Data uploaded: 77</li><li title="${binarySize(account.downloadedBytes)}">Data downloaded: 66</li><li title="12">Torrents uploaded: 55</li></ul></div>
<div class="head colhead_dark">Personal</div><div class="box"><ul class="stats nobullet"><li>Class: ${account.level}</li><li>Paranoia level: <span title="0"> Off </span></li></ul></div>
<div class="head colhead_dark">Community</div><div class="box"><ul class="stats nobullet"><li>Forum Posts: 34</li><li>Requests voted: 2 for 1.00 GiB</li>
<li title="9.50 GiB">Uploaded: 12 [<a href="/torrents.php?type=uploaded&amp;userid=${account.id}" title="View all uploads">View</a>]</li><li >Uploads Snatched: 321 </li>
<li>Seeding: ${whole(account.seeds.length)} ( 50 %) [<a href="/torrents.php?type=seeding&amp;userid=${account.id}" title="View seeding torrents">View</a>]</li>
<li >Seeding Size: ${binarySize(account.seeds.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))}</li>
<li>Leeching: 0 [<a href="/torrents.php?type=leeching&amp;userid=${account.id}">View</a>]</li><li>Snatched: <span title="total snatched">44</span> <span title="total unique snatched">(40)</span></li></ul></div></div>
<div class="main_column"><div class="head clear"><span style="float:left;">Bonus Credits</span></div><div class="box"><div class="pad" id="bonusdiv"><h4 class="center">Credits:
  ${fixed(account.bonus, 2)}
</h4><div class="hidden" id="bonuslogdiv"><div id="bonuslog" class="box pad scrollbox">Nov 19 2026 | +24 credits | seeded 3 torrents for 24 hrs</div></div></div></div></div>`,
    ),
  list: (account, torrents) => {
    const sort = (key: string) => `/torrents.php?order_way=desc&amp;order_by=${key}&amp;action=advanced`
    const rows = torrents.map(
      ({
        id,
        name,
        category,
        sizeBytes,
        seeders,
        leechers,
        snatched,
        free,
        doubled,
      }) => `<tr class="torrent rowa" id="${id}">
<td class="center"><img src="/static/common/caticons/x.png" alt="${category}" title="${category}"/></td>
<td><strong><script>var overlay${id} = "x"</script><a href="/torrents.php?id=${id}" onmouseover="return overlib(overlay${id}, FULLHTML);" onmouseout="return nd();" title="View Torrent">${name}</a></strong><br/>
<div class="tags"><a href="/torrents.php?taglist=one">one</a> <a href="/torrents.php?taglist=two">two</a></div></td>
<td><span class="icon"><a href="/torrents.php?action=download&amp;id=${id}&amp;authkey=a1&amp;torrent_pass=b2" title="Download Torrent">${icon('torrent_icons clickable download', 'torrent_download', 'torrent_leeching')}</a></span><span class="icon" title="${free ? 'Unlimited Freeleech' : 'x'}">${icon(`torrent_icons ${free ? 'unlimited_leech' : ''} ${doubled ? 'unlimited_seed' : ''} ${free || doubled ? 'bonus' : ''}`, 'torrent_bonus', ...(doubled ? ['torrent_seeding'] : []), ...(free ? ['torrent_leeching'] : []))}</span>
<br></br><span style="float:right;">${ago('Nov 19 2026, 20:00')}</span></td>
<td><span style="float:right;">${ago('Nov 19 2026, 20:00')}</span></td>
<td class="nobr">${binarySize(sizeBytes)}</td><td>${whole(snatched)}</td><td ${seeders === 0 ? ' class="r00"' : ''}>${whole(seeders)}</td><td>${whole(leechers)}</td></tr>\n`,
    )
    return luminanceFrame(
      account,
      torrents.length === 0
        ? '<div class="box pad" align="center"><h2>Your search did not match anything.</h2><p>Nothing found</p></div>'
        : `<table class="torrent_table" id="torrent_table"><tr class="head"><td><!-- Category --></td><td width="50%"><a href="${sort('Title')}">Torrents</a></td><td width="20%"><a href="${sort('Added')}" style="float:right">Added</a></td><td><a href="${sort('UploadDate')}">Uploaded</a></td><td><a href="${sort('Size')}">Size</a></td><td class="sign"><a href="${sort('Snatched')}">${icon('', 'torrent_snatched')}</a></td><td class="sign"><a href="${sort('Seeders')}">${icon('', 'nav_seeding')}</a></td><td class="sign"><a href="${sort('Leechers')}">${icon('', 'nav_leeching')}</a></td></tr>
${rows.join('')}</table>`,
    )
  },
}

const cell = (body: string, name = '') =>
  `<td ${name === '' ? 'style="text-align:center;"' : `class="${name}"`} align="center">${body}</td>`

const xbtitFrame = (
  account: FamilyAccount,
  body: string,
) => `<!DOCTYPE html><html><head><title>site</title></head><body><div id="main"><div id="bodyarea"><table border="0" width="100%"><tr><td id="mcol" valign="top"><form name="jump1" action="index.php" method="post"><table cellpadding="0" cellspacing="0" width="100%"><tr>
${cell(`Rank: ${account.level}`)}${cell(`&uarr;&nbsp;${thousandSize(account.uploadedBytes)}`, 'green')}${cell(`&darr;&nbsp;${thousandSize(account.downloadedBytes)}`, 'red')}${cell(`(SR ${fixed(ratioOf(account), 2)})`, 'yellow')}${cell(`<a class="mainuser" href=index.php?page=modules&module=seedbonus>(BON ${fixed(account.bonus, 2)})</a>`, 'green')}
${cell(`<a class="mainuser" href="index.php?page=usercp&amp;uid=${account.id}">My Panel</a>`)}${cell(`<a class="mainuser" href="index.php?page=usercp&amp;uid=${account.id}&amp;do=pm&amp;action=list">Mailbox</a>${account.unread > 0 ? ` (<font color="#FF0000"><b>${account.unread}</b></font>)` : ''}`)}</tr></table></form>
<table cellpadding="0" cellspacing="0" width="100%"><tr>${cell("<a href='index.php'>Index</a>")}${cell('<a href="index.php?page=torrents">Torrents</a>', 'red')}${cell('<a href="logout.php">Logout</a>', 'red')}</tr></table>
${body}</td></tr></table></div></div></body></html>`

const xbtitRow = (head: string, value: string) =>
  `<tr><td class="header" align="left">${head}:</td><td class="lista" colspan="2" align="left">${value}</td></tr>\n`

export const xbtit: FamilyPages = {
  home: (account) => xbtitFrame(account, '<div>News</div>'),
  details: (account) =>
    xbtitFrame(
      account,
      `<table border="0" width="100%" class="lista"><tr><td align="center" class="lista" colspan="3"><br />x<br /></td></tr>
<tr><td width="20%" class="header" align="left">User:</td><td width="80%" class="lista" align="left">${account.name}</td></tr>
<tr><td class="header" align="left">Rank:</td><td class="lista" align="left">${account.level}</td></tr>
${xbtitRow('Joined on', '05/10/2020 22:22:00')}${xbtitRow('Last access', '20/11/2026 09:58:00')}${xbtitRow('Country', 'x&nbsp;&nbsp;<img src="images/flag/x.gif" alt=\'x\' />')}${xbtitRow('Downloaded', thousandSize(account.downloadedBytes))}${xbtitRow('Uploaded', thousandSize(account.uploadedBytes))}${xbtitRow('Ratio', `${fixed(ratioOf(account), 2)}&nbsp;&nbsp;<img src="images/smilies/grin.gif" alt="" />`)}${xbtitRow('Forum Posts', '34&nbsp;[0.01 posts per day]')}</table>
<table width="100%" class="lista"><tr><td class="block" align="center" colspan="8"><b>Uploaded Torrents</b></td></tr><tr><td align="center" class="header">File</td><td align="center" class="header">Added</td><td align="center" class="header">Size</td><td align="center" class="header">S</td><td align="center" class="header">L</td><td align="center" class="header">C</td></tr>
${account.seeds.map(({ name, sizeBytes, seeders, leechers, snatched }) => `<tr><td class="lista" style="padding-left:10px;">${name}</td><td class="lista">20/11/2026</td><td class="lista">${thousandSize(sizeBytes)}</td><td class="green">${seeders}</td><td class="red">${leechers}</td><td class="lista">${snatched}</td></tr>`).join('\n')}</table>`,
    ),
  list: (account, torrents) => {
    const sort = (order: number, head: string) =>
      `<a href="index.php?page=torrents&amp;order=${order}&amp;by=1">${head}</a>`
    const hash = (id: number) => id.toString(16).padStart(40, 'a')
    const rows = torrents.map(
      ({ id, name, category, seeders, leechers, snatched, free }) => `<tr>
<td align="center" width="45" class="lista" style="text-align: center;"><a href="index.php?page=torrents&amp;category=1"><img src="style/x/images/categories/x.png" alt="${category}" border="0" /></a></td>
<td class="lista" valign="middle" style="padding-left:10px;overflow:auto;"><a href="index.php?page=torrent-details&amp;id=${hash(id)}" title="View details: ${name}">${name}</a><br><span style='color: #000000 ' >x</span></td>${free ? '<img src="gold/gold.gif" alt="gold"/>' : ''}
<td align="center" width="20" class="lista"><a href="download.php?id=${hash(id)}&amp;f=x.torrent"><img src="images/download.gif" alt="torrent" /></a></td>
<td align="center" width="85" class="lista">20/11/2026</td>
<td align="center" width="30" class="green"><a href="index.php?page=peers&amp;id=${hash(id)}" title="x">${seeders}</a></td><td align="center" width="30" class="red"><a href="index.php?page=peers&amp;id=${hash(id)}" title="x">${leechers}</a></td><td align="center" width="30" class="lista"><a href="index.php?page=torrent_history&amp;id=${hash(id)}" title="x">${snatched}</a></td><td align="center" width="45" class="lista">7.5 KB/s</td><td align="center" width="45" class="lista">50%</td></tr>\n`,
    )
    return xbtitFrame(
      account,
      `<table width="100%"><tr><td><table width="100%" class="lista"><tr><td align="center" width="45" class="header">${sort(1, 'Cat.')}</td><td align="center" class="header">${sort(2, 'Name')}</td><td align="center" width="20" class="header">Down</td><td align="center" width="85" class="header">${sort(3, 'Added')}</td><td align="center" width="30" class="header">${sort(5, 'S')}</td><td align="center" width="30" class="header">${sort(6, 'L')}</td><td align="center" width="30" class="header">${sort(7, 'C')}</td><td align="center" width="45" class="header">${sort(9, 'Speed')}</td><td align="center" width="45" class="header">Average</td></tr>
${rows.join('')}</table></td></tr></table>`,
    )
  },
}
