/**
 * Pages as the software renders them for a member, cell by cell. Source: xiaomlove/nexusphp at a514ed57 (1.8), its tags
 * v1.7.38, v1.6.0 and v1.5: `include/functions.php` (stdhead's block, torrenttable, the promotion functions, gettime),
 * `userdetails.php`, `getusertorrentlistajax.php`, `mybonus.php`, `attendance.php`, `lang/{en,chs,cht}`. Element and class
 * names, labels and the order of cells are theirs; everything else is made here.
 */
import { type FarLanguage, farWord } from './nexusphp-languages.ts'

export const pageLanguages = ['en', 'chs', 'cht'] as const
type NearLanguage = (typeof pageLanguages)[number]
export type PageLanguage = NearLanguage | FarLanguage
export const pageVersions = ['1.5', '1.6', '1.7', '1.8'] as const
export type PageVersion = (typeof pageVersions)[number]
export const promotionStyles = ['icon', 'word', 'highlight'] as const
export type PromotionStyle = (typeof promotionStyles)[number]
export const timeTypes = ['timealive', 'timeadded'] as const
export type TimeType = (typeof timeTypes)[number]

/** What a member has chosen, and what the site runs. */
export interface PageLook {
  readonly language: PageLanguage
  readonly version: PageVersion
  readonly promotionStyle: PromotionStyle
  readonly timeType: TimeType
}

export interface PageAccount {
  readonly userId: number
  readonly username: string
  readonly level: string
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  /** Without what promotions change; shown since 1.6. */
  readonly movedUp: number
  readonly movedDown: number
  readonly bonus: number
  readonly bonusPerHour: number
  readonly seeding: number
  readonly leeching: number
  readonly messages: number
  readonly unread: number
  /** One entry a section; several only since 1.8. */
  readonly hitAndRuns: readonly { readonly section: string; readonly inspecting: number; readonly unreached: number }[]
  readonly lastSeen: string
}

/** No two figures are alike, so that one read for another shows. */
export const walkersAccount: PageAccount = {
  userId: 4711,
  username: 'walker 7',
  level: 'Power User',
  uploadedBytes: 12_345.67 * 1024 ** 3,
  downloadedBytes: 2345.6 * 1024 ** 3,
  movedUp: 999.9 * 1024 ** 3,
  movedDown: 888.8 * 1024 ** 3,
  bonus: 345_678.9,
  bonusPerHour: 56.789,
  seeding: 42,
  leeching: 3,
  messages: 12,
  unread: 5,
  hitAndRuns: [{ section: '种子区', inspecting: 3, unreached: 0 }],
  lastSeen: '2026-11-20 21:22:23',
}

/** The software's own numbers. */
export const promotions = ['none', 'free', 'twoup', 'twoupfree', 'halfdown', 'twouphalfdown', 'thirtypercent'] as const
export type Promotion = (typeof promotions)[number]

export interface PageTorrent {
  readonly id: number
  readonly name: string
  readonly smallDescription: string
  readonly category: string
  readonly tags: readonly string[]
  readonly promotion: Promotion
  /** Empty for one that does not end. */
  readonly promotionUntil: string
  readonly hitAndRun: boolean
  readonly comments: number
  readonly added: string
  readonly sizeBytes: number
  readonly seeders: number
  readonly leechers: number
  readonly completed: number
}

type Words = Readonly<Record<NearLanguage, string>>
const words = {
  welcome: { en: 'Welcome', chs: '欢迎回来', cht: '歡迎回來' },
  logout: { en: 'Logout', chs: '退出', cht: '退出' },
  bonus: { en: 'Bonus ', chs: '魔力值 ', cht: '魔力值 ' },
  use: { en: 'Use', chs: '使用', cht: '使用' },
  attended: { en: '[Attend got: 20, card: 1]', chs: '[签到已得20, 补签卡: 1]', cht: '[簽到已得20, 補簽卡: 1]' },
  invite: { en: 'Invite ', chs: '邀请 ', cht: '邀請 ' },
  seedPoints: { en: 'Seed points', chs: '做种积分', cht: '做種積分' },
  ratio: { en: 'Ratio:', chs: '分享率:', cht: '分享率：' },
  uploaded: { en: 'Uploaded:', chs: '上传量:', cht: '上傳量：' },
  downloaded: { en: 'Downloaded:', chs: '下载量:', cht: '下載量：' },
  active: { en: 'Active:', chs: '当前活动:', cht: '當前活動：' },
  inboxNew: { en: 'inbox&nbsp;(new&nbsp;messages)', chs: '收件箱&nbsp;(有新短讯)', cht: '收件箱&nbsp;(有新短訊)' },
  inbox: { en: 'inbox&nbsp;(no&nbsp;new&nbsp;messages)', chs: '收件箱&nbsp;(无新短讯)', cht: '收件箱&nbsp;(無新短訊)' },
  messageNew: { en: ' New', chs: ' 新', cht: ' 新' },
  youHave: { en: 'You have ', chs: '&nbsp;&nbsp;你有', cht: '&nbsp;&nbsp;你有' },
  newMessage: { en: ' new message', chs: '条新短讯', cht: '條新短訊' },
  clickHere: { en: '! Click here to read.', chs: '！点击查看&nbsp;', cht: '！點擊查看&nbsp;' },
  hourSummary: { en: 'Total bonus gained per hour', chs: '每小时获得的合计魔力值', cht: '每小時獲得的合計魔力值' },
  rewardType: { en: 'Reward type', chs: '奖励类型', cht: '獎勵類型' },
  rewardCount: { en: 'Count', chs: '数量', cht: '數量' },
  rewardSize: { en: 'Size', chs: '体积', cht: '體積' },
  rewardA: { en: 'A Value', chs: 'A 值', cht: 'A 值' },
  rewardBase: { en: 'Basic bonus', chs: '基础魔力', cht: '基礎魔力' },
  rewardFactor: { en: 'Factor', chs: '系数', cht: '系數' },
  rewardGot: { en: 'Got bonus', chs: '获得魔力', cht: '獲得魔力' },
  rewardTotal: { en: 'Total', chs: '合计', cht: '合計' },
  rewardBasic: { en: 'Basic reward', chs: '基本奖励', cht: '基本獎勵' },
  rewardHarem: { en: 'Harem addition', chs: '后宫加成', cht: '後宮加成' },
  userId: { en: 'User ID', chs: '用户ID/UID', cht: '用戶ID/UID' },
  joinDate: { en: 'Join&nbsp;date', chs: '加入日期', cht: '加入日期' },
  lastSeen: { en: 'Last&nbsp;seen', chs: '最近动向', cht: '最近動向' },
  transfer: { en: 'Transfers', chs: '传输', cht: '傳送' },
  rowUploaded: { en: 'Uploaded', chs: '上传量', cht: '上傳量' },
  rowDownloaded: { en: 'Downloaded', chs: '下载量', cht: '下載量' },
  rowRatio: { en: 'Share Ratio', chs: '分享率', cht: '分享率' },
  movedUp: { en: 'Actual Uploaded', chs: '实际上传量', cht: '實際上傳量' },
  movedDown: { en: 'Actual Downloaded', chs: '实际下载量', cht: '實際下載量' },
  movedRatio: { en: 'Actual Share Ratio', chs: '实际分享率', cht: '實際分享率' },
  movedNote: {
    en: 'Actual Uploaded/Actual Downloaded (For record purposes only, not for share rate calculation)',
    chs: '实际上传/下载量 (仅用于记录, 不参与分享率计算)',
    cht: '實際上傳/下載量 (僅用於記錄, 不參與分享率計算)',
  },
  times: { en: 'Torrenting Time', chs: 'BT时间', cht: 'BT時間' },
  timesRatio: { en: 'Se./Le. Time Ratio', chs: '做种/下载时间比率', cht: '做種/下載時間比率' },
  level: { en: 'Class', chs: '等级', cht: '等級' },
  points: { en: 'Karma Points', chs: '魔力值', cht: '魔力值' },
  currentSeeding: { en: 'Current Seeding', chs: '当前做种', cht: '目前做種' },
  show: { en: '[Show/Hide]', chs: '[显示/隐藏]', cht: '[察看/隱藏]' },
  record: { en: ' record', chs: ' 条记录', cht: '條記錄' },
  noRecord: { en: 'No record.', chs: '没有记录', cht: '沒有記錄' },
  totalSize: { en: ' | Total size: ', chs: ' | 总大小：', cht: ' | 總大小：' },
  type: { en: 'Type', chs: '类型', cht: '類型' },
  name: { en: 'Name', chs: '标题', cht: '標題' },
  comments: { en: 'Number&nbsp;of&nbsp;Comments', chs: '评论数', cht: '評論數' },
  timeAdded: { en: 'Time&nbsp;Added', chs: '添加时间', cht: '添加時間' },
  timeAlive: { en: 'Time&nbsp;Alive', chs: '存活时间', cht: '存活時間' },
  size: { en: 'Size', chs: '大小', cht: '大小' },
  seeders: { en: 'Number&nbsp;of&nbsp;Seeders', chs: '种子数', cht: '種子數' },
  leechers: { en: 'Number&nbsp;of&nbsp;Leechers', chs: '下载数', cht: '下載數' },
  snatched: { en: 'Number&nbsp;of&nbsp;Snatched', chs: '完成数', cht: '完成數' },
  uploader: { en: 'Uploader', chs: '发布者', cht: '發佈者' },
  action: { en: 'Act', chs: '行为', cht: '行為' },
  willEnd: { en: ' will end in ', chs: '剩余时间：', cht: '剩餘時間：' },
  currently: { en: 'You are currently getting ', chs: '你当前每小时能获取', cht: '你當前每小時能獲取' },
  point: { en: ' point', chs: '个魔力值', cht: '個魔力值' },
  perHour: { en: ' per hour', chs: '', cht: '' },
  formula: {
    en: 'The number of karma points gained per hour is given by the following formula',
    chs: '每小时获得的魔力值点数由下面的公式给出',
    cht: '每小時獲得的魔力值點數由下面的公式給出',
  },
  bound: {
    en: 'which stands for the maximum bonus points per hour a user can get by seeding. B0 = ',
    chs: '代表用户1小时获得魔力值的上限。B0 = ',
    cht: '代表用戶1小時獲得魔力值的上限。B0 = ',
  },
  signedIn: { en: 'Success', chs: '签到成功', cht: '簽到成功' },
  attendInfo: {
    en: 'You have already attended <b>12</b> days, Continuous <b>3</b> days, this time you will get <b>20</b> bonus.',
    chs: '这是您的第 <b>12</b> 次签到，已连续签到 <b>3</b> 天，本次签到获得 <b>20</b> 个魔力值。',
    cht: '這是您的第 <b>12</b> 次簽到，已連續簽到 <b>3</b> 天，本次簽到獲得 <b>20</b> 個魔力值。',
  },
  nothingFound: { en: 'Nothing found!', chs: '没有种子！', cht: '沒有種子！' },
  alreadyIn: {
    en: 'You have already attend, no refresh please.',
    chs: '您今天已经签到过了，请勿重复刷新。',
    cht: '您今天已經簽到過了，請勿重複刷新。',
  },
} as const satisfies Record<string, Words>

export type WordName = keyof typeof words

/** What a language has no word for, the software says in English. */
const isNear = (language: PageLanguage): language is NearLanguage => pageLanguages.some((one) => one === language)
const inLanguage = (told: Words, language: PageLanguage) => told[isNear(language) ? language : 'en']

const promotionWords: Readonly<Record<Exclude<Promotion, 'none'>, Words>> = {
  free: { en: 'Free', chs: '免费', cht: '免費' },
  twoup: { en: '2X', chs: '2X', cht: '2X' },
  twoupfree: { en: '2X Free', chs: '2X免费', cht: '2X免費' },
  halfdown: { en: '50%', chs: '50%', cht: '50%' },
  twouphalfdown: { en: '2X 50%', chs: '2X 50%', cht: '2X 50%' },
  thirtypercent: { en: '30%', chs: '30%', cht: '30%' },
}
const promotionIcons: Readonly<Record<Exclude<Promotion, 'none'>, readonly [string, string]>> = {
  free: ['pro_free', 'Free'],
  twoup: ['pro_2up', '2X'],
  twoupfree: ['pro_free2up', '2X Free'],
  halfdown: ['pro_50pctdown', '50%'],
  twouphalfdown: ['pro_50pctdown2up', '2X 50%'],
  thirtypercent: ['pro_30pctdown', '30%'],
}
const promotionRows: Readonly<Record<Exclude<Promotion, 'none'>, string>> = {
  free: 'free_bg',
  twoup: 'twoup_bg',
  twoupfree: 'twoupfree_bg',
  halfdown: 'halfdown_bg',
  twouphalfdown: 'twouphalfdown_bg',
  thirtypercent: 'thirtypercentdown_bg',
}

const units = ['KB', 'MB', 'GB', 'TB', 'PB'] as const

/** The software changes the unit at a thousand of the one below, with three digits from terabytes on. */
function sized(bytes: number): readonly [string, string] {
  const step = Math.min(
    units.findIndex((_, index) => bytes < 1000 * 1024 ** (index + 1) || index === units.length - 1),
    units.length - 1,
  )
  const digits = step >= 3 ? 3 : 2
  const value = bytes / 1024 ** (step + 1)
  return [
    value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    units[step] ?? 'PB',
  ]
}
const size = (bytes: number) => sized(bytes).join(' ')
const sizeOnTwoLines = (bytes: number) => sized(bytes).join('<br />')
/** What a reader can know of a size after the software has rounded it. */
export function shownBytes(bytes: number): number {
  const [value, unit] = sized(bytes)
  return Math.trunc(Number(value.replaceAll(',', '')) * 1024 ** (units.indexOf(unit as (typeof units)[number]) + 1))
}
const count = (value: number) => value.toLocaleString('en-US')
const points = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const plural = (look: PageLook, value: number) => (!/^ch/.test(look.language) && value > 1 ? 's' : '')
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
function say({ language }: PageLook, name: WordName): string {
  return (isNear(language) ? undefined : farWord(language, name)) ?? inLanguage(words[name], language)
}

function hitAndRunText(look: PageLook, account: PageAccount): string {
  if (account.hitAndRuns.length === 1 || look.version === '1.6') {
    const [only] = account.hitAndRuns
    const bad = only?.unreached ?? 0
    return look.version === '1.6'
      ? `${only?.inspecting ?? 0}/${bad}/10`
      : `${only?.inspecting ?? 0}/<font color="red">${bad}</font>/10`
  }
  return account.hitAndRuns
    .map(({ section, inspecting, unreached }) => `${section}: ${inspecting}/<font color="red">${unreached}</font>/10`)
    .join(' ')
}

const isRecent = ({ version }: PageLook) => version === '1.7' || version === '1.8'
const hasHitAndRuns = (look: PageLook, account: PageAccount) => look.version !== '1.5' && account.hitAndRuns.length > 0

/** The block on every page, with the page around it. */
export function framedPage(look: PageLook, account: PageAccount, body: string): string {
  const picture = account.unread > 0 ? 'inboxnew' : 'inbox'
  const inbox = `<img class="${picture}" src="pic/trans.gif" alt="inbox" title="${say(look, account.unread > 0 ? 'inboxNew' : 'inbox')}" />`
  const ratio =
    account.downloadedBytes > 0
      ? `<font color="">${(account.uploadedBytes / account.downloadedBytes).toFixed(3)}</font>`
      : '---'
  const mayAttend = look.version === '1.5' ? '' : ` <a href="attendance.php" class="">${say(look, 'attended')}</a>`
  const seedPoints =
    look.version === '1.6'
      ? `<font class = 'color_bonus'>${say(look, 'seedPoints')}</font>: ${points(account.bonus * 3)}`
      : ''
  const hitAndRuns = hasHitAndRuns(look, account)
    ? `<font class='color_bonus'>H&R: </font> [<a href="myhr.php">${hitAndRunText(look, account)}</a>]`
    : ''
  const block = `<table id="info_block" cellpadding="4" cellspacing="0" border="0" width="100%"><tr>
	<td><table width="100%" cellspacing="0" cellpadding="0" border="0"><tr>
		<td class="bottom" align="left">
            <span class="medium">
                ${say(look, 'welcome')}, <span class="nowrap"><a  href="http://site.example/userdetails.php?id=${account.userId}" class='PowerUser_Name'><b>${escaped(account.username)}</b></a></span>
                [<a href="logout.php">${say(look, 'logout')}</a>]
                [<a href="torrents.php?inclbookmarked=1&amp;allsec=1&amp;incldead=0">x</a>]
                <font class = 'color_bonus'>${say(look, 'bonus')}</font>[<a href="mybonus.php">${say(look, 'use')}</a>]: ${points(account.bonus)}${mayAttend}
                ${seedPoints}
                <font class = 'color_invite'>${say(look, 'invite')}</font>[<a href="invite.php?id=${account.userId}">x</a>]: 2(0)
                <br />
	            <font class="color_ratio">${say(look, 'ratio')}</font> ${ratio}
                <font class='color_uploaded'>${say(look, 'uploaded')}</font> ${size(account.uploadedBytes)}
                <font class='color_downloaded'> ${say(look, 'downloaded')}</font> ${size(account.downloadedBytes)}
                <font class='color_active'>${say(look, 'active')}</font> <img class="arrowup" alt="Torrents seeding" title="x" src="pic/trans.gif" />${account.seeding}  <img class="arrowdown" alt="Torrents leeching" title="x" src="pic/trans.gif" />${account.leeching}&nbsp;&nbsp;
                ${hitAndRuns}
            </span>
        </td>
	<td class="bottom" align="right"><span class="medium"> <a href="friends.php"><img class="buddylist" alt="Buddylist" title="x" src="pic/trans.gif" /></a><br/><a href="messages.php">${inbox}</a> ${account.messages > 0 ? `${account.messages} (${account.unread}${say(look, 'messageNew')})` : '0'}  <a href="messages.php?action=viewmailbox&amp;box=-1"><img class="sentbox" alt="sentbox" title="x" src="pic/trans.gif" /></a> 7

	</span></td>
	</tr></table></td>
</tr></table>`
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8" /><title>site</title></head><body>
<table class="mainouter" width="982" cellspacing="0" cellpadding="5" align="center">
	<tr><td id="nav_block" class="text" align="center">${block}</td></tr>
<tr><td id="outer" align="center" class="outer" style="padding-top: 20px; padding-bottom: 20px">
${
  account.unread > 0
    ? `<p><table border="0" cellspacing="0" cellpadding="10" bgcolor="red"><tr><td style='border: none; padding: 10px; background: red'>
<b><a href="messages.php"><font color="white">${say(look, 'youHave')}${account.unread}${say(look, 'newMessage')}${plural(look, account.unread)}${say(look, 'clickHere')}</font></a></b></td></tr></table></p><br />`
    : ''
}${body}
</td></tr></table></body></html>`
}

const row = (head: string, value: string) =>
  `<tr><td width="1%" class="rowhead nowrap" valign="top" align="right">${head}</td><td width="99%" class="rowfollow" valign="top" align="left">${value}</td></tr>`

export function accountPage(look: PageLook, account: PageAccount): string {
  const ratio = (up: number, down: number) => (Math.floor((up / down) * 1000) / 1000).toFixed(3)
  const hasMoved = look.version !== '1.5'
  const moved = account.movedDown > 0 ? ratio(account.movedUp, account.movedDown) : undefined
  const movedRatio = hasMoved ? `（<strong>${say(look, 'movedRatio')}</strong>：${moved}）` : ''
  const shareRatio =
    account.downloadedBytes > 0 && (!hasMoved || moved !== undefined)
      ? `<tr><td class="embedded"><strong>${say(look, 'rowRatio')}</strong>:  <font color="">${ratio(account.uploadedBytes, account.downloadedBytes)}</font>${movedRatio}</td><td class="embedded">&nbsp;&nbsp;<img src="pic/smilies/3.gif" alt="" /></td></tr>`
      : ''
  const traffic = `<tr><td class="embedded"><strong>${say(look, 'rowUploaded')}</strong>:  ${size(account.uploadedBytes)}</td><td class="embedded">&nbsp;&nbsp;<strong>${say(look, 'rowDownloaded')}</strong>:  ${size(account.downloadedBytes)}</td></tr>`
  const movedTraffic = hasMoved
    ? `<tr><td class="embedded"><strong>${say(look, 'movedUp')}</strong>:  ${size(account.movedUp)}</td><td class="embedded">&nbsp;&nbsp;<strong>${say(look, 'movedDown')}</strong>:  ${size(account.movedDown)}</td><td class="embedded text-muted">&nbsp;&nbsp;${say(look, 'movedNote')}</td></tr>`
    : ''
  const timesRatio = `<tr><td class="embedded"><strong>${say(look, 'timesRatio')}</strong>:  <font color="">8.123</font></td></tr>`
  const rows = [
    ...(look.version === '1.5' ? [] : [row(say(look, 'userId'), String(account.userId))]),
    row(say(look, 'joinDate'), '2019-03-04 05:06:07 (<span title="2019-03-04 05:06:07">7 x</span>, 400 x)'),
    row(say(look, 'lastSeen'), `${account.lastSeen} (<span title="${account.lastSeen}">1 x</span>)`),
    row(
      say(look, 'transfer'),
      `<table border="0" cellspacing="0" cellpadding="0">${shareRatio}${traffic}${movedTraffic}</table>`,
    ),
    row(say(look, 'times'), `<table border="0" cellspacing="0" cellpadding="0">${timesRatio}</table>`),
    row(
      say(look, 'level'),
      `<img alt="${account.level}" title="${account.level}" src="pic/power.gif" /> &nbsp;3.5 GB club`,
    ),
    ...(hasHitAndRuns(look, account)
      ? [row('H&R', `<a href="myhr.php?userid=${account.userId}" target="_blank">${hitAndRunText(look, account)}</a>`)]
      : []),
    row(say(look, 'points'), isRecent(look) ? points(account.bonus) : account.bonus.toFixed(1)),
    ...(isRecent(look)
      ? [
          row(
            say(look, 'seedPoints'),
            look.version === '1.7'
              ? points(account.bonus * 3)
              : `${points(account.bonus * 3)}&nbsp;&nbsp;<span class='text-muted'>(x: 2026-11-20 01:02:03)</span>`,
          ),
        ]
      : []),
    row(
      say(look, 'currentSeeding'),
      `<a href="javascript: getusertorrentlistajax('${account.userId}', 'seeding', 'ka1'); klappe_news('a1')"><img class="plus" src="pic/trans.gif" id="pica1" alt="Show/Hide" title="x" />   <u>${say(look, 'show')}</u></a><div id="ka1" style="display: none;"></div>`,
    ),
  ]
  return framedPage(
    look,
    account,
    `<h1 style='margin:0px'><span class="nowrap"><b>${escaped(account.username)}</b></span></h1><table width="100%" border="1" cellspacing="0" cellpadding="5">${rows.join('\n')}</table>`,
  )
}

/** The list that the account's page fetches. It has no page around it; since 1.7 a hundred rows at most. */
export function seedingList(look: PageLook, torrents: readonly PageTorrent[]): string {
  if (torrents.length === 0) return say(look, 'noRecord')
  const heads = [
    `<td class="colhead" style="padding: 0px">${say(look, 'type')}</td>`,
    `<td class="colhead" align="center">${say(look, 'name')}</td>`,
    ...(look.version === '1.8' ? ['<td class="colhead" align="center">Added</td>'] : []),
    `<td class="colhead" align="center"><img class="size" src="pic/trans.gif" alt="size" title="${say(look, 'size')}" /></td>`,
    '<td class="colhead" align="center"><img class="seeders" src="pic/trans.gif" alt="seeders" title="x" /></td>',
    '<td class="colhead" align="center"><img class="leechers" src="pic/trans.gif" alt="leechers" title="x" /></td>',
    '<td class="colhead" align="center">Ul.</td><td class="colhead" align="center">Dl.</td>',
  ]
  const rows = torrents.slice(0, isRecent(look) ? 100 : undefined).map(
    (one) =>
      `<tr><td class="rowfollow nowrap" valign="middle" style='padding: 0px'><img src="pic/cattrans.gif" alt="${one.category}" title="${one.category}" /></td>
<td class="rowfollow" width="100%" align="left"><a href="details.php?id=${one.id}&amp;hit=1" title="${escaped(one.name)}"><b>${escaped(one.name.slice(0, 80))}</b></a><br />${escaped(one.smallDescription)}</td>${look.version === '1.8' ? '<td class="rowfollow nowrap" align="center">2026-11-01<br/>02:03:04</td>' : ''}<td class="rowfollow" align="center">${sizeOnTwoLines(one.sizeBytes)}</td><td class="rowfollow" align="center">${one.seeders}</td><td class="rowfollow" align="center">${one.leechers}</td><td class="rowfollow" align="center">${sizeOnTwoLines(one.sizeBytes * 2)}</td><td class="rowfollow" align="center">${sizeOnTwoLines(one.sizeBytes)}</td></tr>`,
  )
  const table = `<table border="1" cellspacing="0" cellpadding="5" width="100%"><tr>${heads.join('')}</tr>${rows.join('\n')}</table>\n`
  const total = torrents.reduce((sum, one) => sum + one.sizeBytes, 0)
  const counted = `<b>${torrents.length}</b>${say(look, 'record')}${plural(look, torrents.length)}`
  // A total stands there since 1.6 in simplified Chinese, and in every language since 1.7.
  const stated = isRecent(look) || (look.version === '1.6' && look.language === 'chs')
  if (!stated) return `${counted}<br />${table}`
  const head = `${counted}${say(look, 'totalSize')}${size(total)}`
  return look.version === '1.8'
    ? `<br/><div style="display: flex;justify-content: space-between"><div>${head}</div><div></div></div>${table}`
    : `${look.version === '1.7' ? '<br />' : ''}${head}<br />${table}`
}

/** Of a donor, who is given twice what the sentence says; the table that adds it up is there since 1.7. */
export function bonusPage(look: PageLook, account: PageAccount): string {
  const base = isRecent(look) ? Math.round((account.bonusPerHour / 2) * 1000) / 1000 : account.bonusPerHour
  const getting = `${say(look, 'currently')}${base}${say(look, 'point')}${plural(look, base)}${say(look, 'perHour')}`
  const three = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 3, maximumFractionDigits: 3 })
  const cells = (values: readonly string[]) => values.map((value) => `<td>${value}</td>`).join('')
  const heads = [
    'rewardType',
    'rewardCount',
    'rewardSize',
    'rewardA',
    'rewardBase',
    'rewardFactor',
    'rewardGot',
    'rewardTotal',
  ] as const
  const summary = isRecent(look)
    ? `<h1>${say(look, 'hourSummary')}</h1><div style="display: flex;justify-content: center;margin-top: 20px;"><table cellpadding="5" style="width: 50%"><tr>${heads.map((head) => `<td class="colhead">${say(look, head)}</td>`).join('')}</tr><tr>${cells([say(look, 'rewardBasic'), String(account.seeding), '1.234 TB', '1,234.500', three(base), '2', three(account.bonusPerHour)])}<td rowspan="2">${three(account.bonusPerHour)}</td></tr><tr>${cells([say(look, 'rewardHarem'), '--', '--', '--', '0.000', '0.1', '0.000'])}</tr></table></div>`
    : ''
  return framedPage(
    look,
    account,
    `<table width="97%" cellpadding="3"><tr><td class="text" align="left"><ul><li>1${say(look, 'point')}</li><li>${say(look, 'formula')}<br /><br /><ul><li><b>T0</b> = 4</li><li><b>B0</b>, ${say(look, 'bound')}100</li></ul></li></ul><div align="center">${getting} (A = 1234.5)</div>${summary}</td></tr></table>`,
  )
}

/** What the visit that signs in shows; with `false`, what older versions show afterwards. There is none before 1.6. */
/** A notice on top of every page since 1.9: in effect it is green, before that blue (`TorrentState::resolveTimeline`). */
export function siteNotice(words: string, name: string, range: string, colour = 'green'): string {
  return `<table border="0" cellspacing="0" cellpadding="10" style="margin: 0 auto;"><tr><td style='border: none; padding: 10px; background: ${colour}; text-align: center;'>
<b><a href="torrents.php" target='_blank'><font color="white">${words.replace('%s', name)}${range === '' ? '' : `<br/>${range}`}<br/>备注：周年</font></a></b></td></tr></table><br />`
}

export interface PageMessage {
  readonly id: number
  readonly subject: string
  readonly sender: string
  readonly time: string
  readonly isUnread: boolean
}

/** `messages.php`: the software marks each row, and shows the ones asked for. */
export function mailboxPage(look: PageLook, account: PageAccount, messages: readonly PageMessage[]): string {
  const rows = messages.map(
    ({ id, subject, sender, time, isUnread }) => `<tr>
<td class=rowfollow align=center><img class="${isUnread ? 'unreadpm' : 'readpm'}" src="pic/trans.gif" alt="${isUnread ? 'Unread' : 'Read'}" title=x /></td>
<td class=rowfollow align=left><a href="messages.php?action=viewmessage&id=${id}">${subject}</a></td>
<td class=rowfollow align=left>${sender}</td>
<td class=rowfollow nowrap>${look.timeType === 'timealive' ? `<span title="${time}">1x</span>` : time}</td>
<td class=rowfollow><input class=checkbox type="checkbox" name="messages[]" value="${id}"></td>
</tr>`,
  )
  const list =
    messages.length === 0
      ? '<p align="center">x</p>'
      : `<form action="messages.php" method="post"><table border="0" cellpadding="4" cellspacing="0" width="737">
<tr><td width="1%" class="colhead" align="center">x</td><td class="colhead" align="left">x </td><td width="35%" class="colhead" align="left">x</td><td width="1%" class="colhead" align="center"><img class="time" src="pic/trans.gif" alt="time" title="x" /></td><td width="1%" class="colhead" align="center">x</td></tr>
${rows.join('\n')}
</form><tr><td class=toolbox colspan=5><div align="center"><img class="unreadpm" src="pic/trans.gif" alt="Unread" title="x" /><a href="messages.php?action=viewmailbox&box=1&unread=yes">x</a></div></td></tr></table>`
  const menu =
    '<div id="pmboxnav"><ul id="pmboxmenu" class="menu"><li class=selected><a href="messages.php?action=viewmailbox&box=1">x</a></li></ul></div>'
  return framedPage(look, account, `${menu}${list}`)
}

export function attendancePage(look: PageLook, account: PageAccount, isFirst: boolean): string {
  const told = say(look, 'attendInfo')
  const body = isFirst
    ? `<h2>${say(look, 'signedIn')}</h2><p>${isRecent(look) ? told : told.replace(' days, Continuous <b>3</b> days,', ' days. C <b>3</b> day，')}</p>`
    : `<p>${say(look, 'alreadyIn')}</p>`
  return framedPage(look, account, body)
}

/** Of a fork of 2026, which signs in when its form is sent: with a picture to read, or by the button alone. */
export function attendanceForm(look: PageLook, account: PageAccount, hasPicture: boolean): string {
  const picture = hasPicture
    ? '<tr><td class="rowhead">验证码</td><td><input type="text" name="imagestring" value="" /><input type="hidden" name="imagehash" value="ab12" /></td></tr>'
    : ''
  return framedPage(
    look,
    account,
    `<table width="100%" border="1" cellspacing="0" cellpadding="10"><tbody><tr><td class="text"><div style="text-align: center;"><form method="post" action="attendance.php" style="display: inline-block;"><table border="0" cellpadding="5">${picture}<tr><td class="toolbox" colspan="2" align="center"><input type="submit" value="x" class="btn" /></td></tr></table></form></div></td></tr></tbody></table>`,
  )
}

/** A time as members see it: how long ago, with the time in a title, or the time itself. */
function shownTime(look: PageLook, time: string, isOnTwoLines: boolean): string {
  if (look.timeType === 'timeadded') return isOnTwoLines ? time.replace(' ', '<br />') : time
  return `<span title="${time}">1 x${isOnTwoLines ? '<br />' : ' '}2 x</span>`
}

function promotionMark(look: PageLook, { promotion, promotionUntil }: PageTorrent): string {
  // The colour of the row is all that says it then, and tells no end.
  if (promotion === 'none' || look.promotionStyle === 'highlight') return ''
  const word = inLanguage(promotionWords[promotion], look.language)
  const left = `<span title="${promotionUntil}">1 x2 x</span>`
  const tooltip =
    promotionUntil === ''
      ? ''
      : ` onmouseover="domTT_activate(this, event, 'content', '${escaped(`<b><font class="${promotion}">${word}</font></b>${say(look, 'willEnd')}<b>${left}</b>`)}', 'trail', false, 'delay',500,'lifetime',3000,'fade','both','styleClass','niceTitle', 'fadeMax',87, 'maxWidth', 300);"`
  // Since 1.6 the time left is also written out.
  const writtenOut =
    promotionUntil === '' || look.version === '1.5'
      ? ''
      : ` <font color='#0000FF'>${say(look, 'willEnd')}${left}</font>`
  if (look.promotionStyle === 'word')
    return ` <b>[<font class='${promotion}' ${tooltip}>${word}</font>]</b>${writtenOut}`
  const [name, alt] = promotionIcons[promotion]
  return ` <img class="${name}" src="pic/trans.gif" alt="${alt}" ${tooltip === '' ? `title="${word}"` : tooltip} />${writtenOut}`
}

/** A column for those who keep the list in order: of those who may edit and not delete, 1.8 forgets to begin its cells. */
export type KeeperRight = 'none' | 'edit' | 'delete'

function keptCell(right: KeeperRight, id: number): string {
  if (right === 'none') return ''
  const begin = `<td class="rowfollow"><a href="fastdelete.php?id=${id}"><img class="staff_delete" src="pic/trans.gif" alt="D" title="x" /></a>`
  return `${right === 'delete' ? begin : ''}<br /><a href="edit.php?returnto=%2Ftorrents.php%3Fsearch%3D&amp;id=${id}"><img class="staff_edit" src="pic/trans.gif" alt="E" title="x" /></a></td>\n`
}

export function torrentTable(look: PageLook, torrents: readonly PageTorrent[], right: KeeperRight = 'none'): string {
  const head = (index: number, name: string, title: string) =>
    `<td class="colhead"><a href="?sort=${index}&amp;type=desc"><img class="${name}" src="pic/trans.gif" alt="${name}" title="${title}" /></a></td>`
  const heads = `<tr>
<td class="colhead" style="padding: 0px">${say(look, 'type')}</td>
<td class="colhead"><a href="?sort=1&amp;type=asc">${say(look, 'name')}</a></td>
${head(3, 'comments', say(look, 'comments'))}
${head(4, 'time', say(look, look.timeType === 'timealive' ? 'timeAlive' : 'timeAdded'))}
${head(5, 'size', say(look, 'size'))}
${head(7, 'seeders', say(look, 'seeders'))}
${head(8, 'leechers', say(look, 'leechers'))}
${head(6, 'snatched', say(look, 'snatched'))}
<td class="colhead"><a href="?sort=9&amp;type=desc">${say(look, 'uploader')}</a></td>
${right === 'none' ? '' : `<td class="colhead">${say(look, 'action')}</td>\n`}</tr>`
  const rows = torrents.map((one, index) => {
    const colour =
      look.promotionStyle === 'highlight' && one.promotion !== 'none' ? ` class='${promotionRows[one.promotion]}'` : ''
    const tags =
      look.version === '1.5'
        ? ''
        : one.tags
            .map(
              (tag) =>
                `<span style="background-color:#0000ff;color:#ffffff;border-radius:0;font-size:12px;margin:0 4px 0 0;padding:1px 2px" title="${tag}">${tag}</span>`,
            )
            .join('')
    const second = tags + escaped(one.smallDescription)
    const hitAndRun = one.hitAndRun ? '<img class="hitandrun" src="pic/trans.gif" alt="H&R" title="H&R" />' : ''
    const isNew = index === 0 ? "<b> (<font class='new'>NEW</font>)</b>" : ''
    const picked = index === 1 ? " <b>[<font class='hot'>Hot</font>]</b>" : ''
    const comments =
      one.comments === 0
        ? `<a href="comment.php?action=add&amp;pid=${one.id}&amp;type=torrent" title="x">0</a>`
        : `<b><a href="details.php?id=${one.id}&amp;hit=1&amp;cmtpage=1#startcomments" >${one.comments}</a></b>`
    return `<tr${colour}>
<td class="rowfollow nowrap" valign="middle" style='padding: 0px'><a href="?cat=401"><img class="c_x" src="pic/cattrans.gif" alt="${one.category}" title="${one.category}" style="background-image: url(pic/category/x.png);" /></a></td>
<td class="rowfollow" width="100%" align="left" style='padding: 0px'><table class="torrentname" width="100%"><tr${colour}><td class="embedded" style='padding-left: 5px'><a title="${escaped(one.name)}"  href="details.php?id=${one.id}&amp;hit=1"><b>${escaped(one.name.slice(0, 60))}..</b></a>${isNew}${picked}${promotionMark(look, one)}${hitAndRun}${second === '' ? '' : `<br />${second}`}<div style="padding: 1px;margin-top: 2px;border: 1px solid #838383" title="seeding 100%"><div style="width: 100%;background-color: green;height: 2px"></div></div></td><td width="20" class="embedded" style="text-align: right;padding-right: 5px" valign="middle"><a href="download.php?id=${one.id}"><img class="download" src="pic/trans.gif" style='padding-bottom: 2px;' alt="download" title="x" /></a><br /><a id="bookmark${index}"  href="javascript: bookmark(${one.id},${index});" ><img class="delbookmark" src="pic/trans.gif" alt="Unbookmarked" title="x" /></a></td>
</tr></table></td><td class="rowfollow">${comments}</td><td class="rowfollow nowrap">${shownTime(look, one.added, true)}</td><td class="rowfollow">${sizeOnTwoLines(one.sizeBytes)}</td>${one.seeders > 0 ? `<td class="rowfollow" align="center"><b><a href="details.php?id=${one.id}&amp;hit=1&amp;dllist=1#seeders"><font color="#ff0000">${count(one.seeders)}</font></a></b></td>` : '<td class="rowfollow"><span class="red">0</span></td>'}
${one.leechers > 0 ? `<td class="rowfollow"><b><a href="details.php?id=${one.id}&amp;hit=1&amp;dllist=1#leechers">${count(one.leechers)}</a></b></td>` : '<td class="rowfollow">0</td>'}
${one.completed > 0 ? `<td class="rowfollow"><a href="viewsnatches.php?id=${one.id}"><b>${count(one.completed)}</b></a></td>` : '<td class="rowfollow">0</td>'}
<td class="rowfollow"><span class="nowrap"><a  href="http://site.example/userdetails.php?id=9" class='Uploader_Name'><b>sower</b></a></span></td>
${keptCell(right, one.id)}</tr>`
  })
  return `<table class="torrents" cellspacing="0" cellpadding="5" width="100%">\n${heads}\n${rows.join('\n')}</table>`
}

export const allLooks: readonly PageLook[] = pageVersions.flatMap((version) =>
  pageLanguages.flatMap((language) =>
    promotionStyles.flatMap((promotionStyle) =>
      timeTypes.map((timeType) => ({ version, language, promotionStyle, timeType })),
    ),
  ),
)
