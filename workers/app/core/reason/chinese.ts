/** Reasons as the interface document has them: Chinese, without a mark at the end. */
import { sayBy } from '#shared/kernel/fault-words.ts'
import type { ChoiceRefusal } from '../media/release-refusal.ts'
import type { BackupTrouble } from '../operating/backup-trouble.ts'
import type { Service } from '../service-fault.ts'
import type { BrushReason, DownloaderSkill, EndAction, FeedItemStatus } from '../vocabulary.ts'
import { gib, utc } from './gib.ts'
import {
  type BoundedThing,
  type Covers,
  type FreeEndWhy,
  type NamedReason,
  type NamedThing,
  type Reason,
  type ReasonKind,
  type ReasonOf,
  type Renderer,
  type RuleUnit,
  renderWith,
  type SealedThing,
  type SiteError,
  type Thing,
} from './reason.ts'
import { searchGroups } from './search-groups.ts'

const troubled: (trouble: BackupTrouble) => string = sayBy<{
  readonly [Kind in BackupTrouble['kind']]: string | ((facts: Extract<BackupTrouble, { kind: Kind }>) => string)
}>({
  missing: '没有这个文件',
  sealed: '备份已加密，需要密码短语',
  pass_phrase: '密码短语不符，或者文件已损坏或不完整',
  no_backup: '这不是备份，或者已损坏或不完整',
  foreign: '这不是 Wharf 的备份',
  newer: '由更新版本的 Wharf 制作',
  list_damaged: '文件清单已损坏',
  list_wrong: '文件清单不是清单',
  heading: '文件头已损坏',
  entry_heading: '其中一个文件头已损坏',
  entry_type: '含有文件以外的内容',
  cut: '不完整，后面部分缺失',
  empty: '是空的',
  gone: '已经不在了',
  unlisted: ({ file }) => `含有清单之外的 ${JSON.stringify(file)}`,
  file_damaged: ({ file }) => `其中的 ${file} 已损坏`,
  file_missing: ({ file }) => `缺少 ${file}`,
  database_damaged: ({ file, damage }) => `其中的数据库 ${file} 已损坏（${damage}）`,
  rows: ({ held, listed }) => `含有 ${held} 行，应当有 ${listed} 行`,
  unknown_steps: ({ steps }) => `由更新版本的 Wharf 制作（它有 ${steps.join('、')}），请用那个版本恢复`,
  disk_full: ({ folder }) => `${folder} 所在的磁盘已满`,
  unexpected: ({ words }) => words,
})

const programs = {
  qbittorrent: 'qBittorrent',
  transmission: 'Transmission',
  deluge: 'Deluge',
  rtorrent: 'rTorrent',
} as const
const skills: Readonly<Record<DownloaderSkill, string>> = {
  category: '分类',
  tags: '标签',
  limits: '单个种子限速',
  queue: '队列顺序',
  low_priority: '文件的低优先级',
  rename: '种子改名',
  rename_file: '文件改名',
  super_seeding: '超级做种',
  sequential: '按顺序下载',
  first_last: '先下载首尾块',
  add_tracker: '添加 Tracker',
  change_tracker: '替换 Tracker',
  remove_tracker: '删除 Tracker',
  export: '导出种子文件',
}

const siteParts: Readonly<Record<ReasonOf<'site.broken'>['part'], string>> = {
  page: '页面不完整，或不是预期的网页',
  json: '返回的不是预期的 JSON',
  xml: '返回的不是预期的 XML',
  list: '页面中没有找到种子列表，站点可能改版',
  account: '页面中没有找到账号数据，站点可能改版',
  sign_in: '看不懂签到页面的内容，站点可能改版',
  torrent: '返回的不是种子文件',
}

const services: Readonly<
  Record<Service, Readonly<Record<'name' | 'notSetUp' | 'notFound' | 'refused' | 'broken', string>>>
> = {
  metadata: {
    name: '影视资料服务',
    notSetUp: '还没有设置影视资料服务的密钥',
    notFound: '影视资料服务没有这个地址，请检查接口地址',
    refused: '影视资料服务不接受这个密钥',
    broken: '影视资料服务返回的不是预期的内容',
  },
  images: {
    name: '图片服务器',
    notSetUp: '还没有设置图片地址',
    notFound: '没有这张图片',
    refused: '图片服务器拒绝了这个请求',
    broken: '图片服务器返回的不是图片',
  },
  releases: {
    name: '发布列表',
    notSetUp: '还没有设置发布列表，无法检查更新',
    notFound: '没有找到这个仓库的发布列表，请检查设置',
    refused: '发布列表拒绝了这个请求',
    broken: '发布列表返回的不是预期的内容',
  },
  list: {
    name: '片单',
    notSetUp: '还没有设置片单',
    notFound: '没有这个片单，或者它没有公开',
    refused: '片单所在的服务拒绝了这个请求，请检查密钥，以及片单是否公开',
    broken: '这里的内容不是片单',
  },
  reseed: {
    name: '辅种服务',
    notSetUp: '还没有设置辅种服务的令牌',
    notFound: '辅种服务没有这个地址，请检查接口地址',
    refused: '辅种服务不接受这个令牌',
    broken: '辅种服务返回的不是预期的内容',
  },
}

export const choiceRefusals: Readonly<Record<ChoiceRefusal, string>> = {
  other_title: '不是这部作品或这一季',
  not_wanted: '不含缺少的内容',
  site: '站点不在方案中',
  leaked: '枪版',
  resolution: '分辨率不符',
  source: '来源不符',
  words: '关键词不符',
  size: '大小不符',
  seeders: '做种人数不足',
  not_free: '未标明免费',
  hit_and_run: '有 H&R 要求',
}

const freeEndWhys: Readonly<Record<FreeEndWhy, string>> = {
  over: '免费即将结束或已结束，尚未下载完',
  too_slow: '免费结束前无法下载完',
  unknown: '站点没有说明免费何时结束，按即将结束处理',
}

function overruled(rule: string, decided: FeedItemStatus): string {
  if (decided === 'failed') return '此前未能推送'
  if (rule === '') return '虽然它未标明免费，也没有规则'
  if (decided === 'skipped') return `虽然规则“${rule}”拒绝它`
  if (decided === 'told') return `虽然规则“${rule}”只通知它`
  return `虽然没有规则要它；最接近的是“${rule}”`
}

const endActions: Readonly<Record<Exclude<EndAction, 'keep'>, string>> = {
  remove_with_files: '连同文件删除',
  remove: '删除任务、保留文件',
  pause: '暂停',
}

const brushReasons: Readonly<Record<BrushReason, string>> = {
  incomplete: '超过时限仍未下载完',
  free_over: '免费已结束，尚未下载完',
  seeding: '做种时间已到',
  ratio: '分享率已到',
  uploaded: '上传量已到',
  idle: '长时间没有上传',
}

const missing: Readonly<Record<Thing, string>> = {
  address: '没有这个地址',
  backup: '没有这个备份',
  brush_task: '没有这个刷流任务',
  brush_task_on: '没有这个刷流任务，或它未启用',
  channel: '没有这个通知渠道',
  chat: '没有这个会话',
  confirmation: '没有这个待确认的操作',
  conversation: '没有这个对话',
  definition: '没有这个定义',
  device: '没有这台设备',
  downloader: '没有这个下载器',
  downloader_on: '没有这个下载器，或它未启用',
  downloader_usable: '没有可用的下载器',
  feed: '没有这个订阅源',
  feed_item: '已不再记得这个种子',
  feed_on: '没有这个订阅源，或它未启用',
  filter_rule: '没有这条过滤规则',
  end_rule: '没有这条结束规则',
  gateway_bodies: '这个请求的内容已不再保存',
  gateway_key: '没有这个网关密钥',
  gateway_provider: '没有这个网关提供方',
  gateway_route: '没有这个网关路由或变更',
  icon: '这个站点没有图标',
  job: '没有这个后台任务',
  library: '没有这个媒体库',
  media_record: '没有这条整理记录',
  passkey: '没有这个通行密钥',
  profile: '没有这个画质方案',
  site: '没有这个站点',
  site_on: '没有这个站点，或它未启用',
  site_plan: '没有这个站点的这份计划',
  doubt: '这项数据已不存疑，或在显示之后变了',
  statistics: '没有这个站点，或它没有统计可刷新',
  subscription: '没有这个订阅',
  template: '没有这个模板事件',
  token: '没有这个令牌',
  tool: '没有这个工具',
  torrent: '下载器中没有这个种子',
  torrent_run: '没有这个批量操作',
  watchlist: '没有这个片单',
  watchlist_item: '没有这一项，或者它已有结果',
  watchlist_on: '没有这个片单，或者它没有启用',
}

const bounded: Readonly<Record<BoundedThing, string>> = {
  brush_task: '个刷流任务',
  channel: '个通知渠道',
  chat: '个配对的会话',
  definition: '个站点定义',
  device: '台设备，请先解除不用的',
  downloader: '个下载器',
  feed: '个订阅源',
  filter_rule: '条过滤规则',
  end_rule: '条结束规则',
  torrent: '个种子',
  library: '个媒体库',
  passkey: '个通行密钥，请先删除不用的',
  profile: '个画质方案',
  site: '个站点',
  subscription: '个订阅',
  token: '个令牌，请先撤销不用的',
  watchlist: '个片单',
}

const named: Readonly<Record<NamedThing, string>> = {
  brush_task: '刷流任务',
  channel: '通知渠道',
  downloader: '下载器',
  feed: '订阅源',
  filter_rule: '过滤规则',
  end_rule: '结束规则',
  library: '媒体库',
  profile: '画质方案',
  site: '站点',
  watchlist: '片单',
}

const sealed: Readonly<Record<SealedThing, string>> = {
  channel: '无法读取或保存地址和令牌',
  device: '无法配对设备',
  downloader: '无法保存密码',
  feed: '无法保存订阅地址',
  key: '无法保存密钥',
  site: '无法保存 Cookie 或密钥',
  watchlist: '无法保存片单的地址和密钥',
}

const units: Readonly<Record<RuleUnit, string>> = { number: '', characters: '个字符', items: '项', bytes: '个字节' }
const parts = { field: '字段', parameter: '参数' } as const
const templateParts = { title: '标题', text: '正文' } as const

function lost(state: 'missing' | 'changed', what: string, again: string): string {
  return state === 'missing' ? `主密钥丢失，无法读取${what}` : `主密钥已更换，无法读取${what}${again}`
}

function ruled(rule: Reason | undefined): string {
  if (rule === undefined) return ''
  return isShort(rule) ? `，${say(rule)}` : `：${say(rule)}`
}

/** Bounds stand behind a comma, and what is said of a value behind a colon. */
function isShort({ kind }: Reason): boolean {
  return ['rule.one_of', 'rule.at_most', 'rule.at_least', 'rule.not_empty', 'rule.one_page', 'rule.not_below'].includes(
    kind,
  )
}

function bound(word: { readonly few: string; readonly value: string }, limit: number, unit: RuleUnit): string {
  return unit === 'number' ? `${word.value} ${limit}` : `${word.few} ${limit} ${units[unit]}`
}

function inTemplate({ part, line }: { readonly part: 'title' | 'text'; readonly line: number }, what: string): string {
  return `${templateParts[part]}第 ${line} 行：${what}`
}

function meant(near: string | undefined): string {
  return near === undefined ? '' : `，是否想写 ${near}`
}

function coversText(covers: Covers): string {
  if (covers === 'season') return '整季'
  return covers.from === covers.to ? `第 ${covers.from} 集` : `第 ${covers.from}-${covers.to} 集`
}

function searchRun({ pushes, refused, sites }: ReasonOf<'subscription.told'>): string {
  const made = pushes.filter(({ reason }) => reason === undefined)
  const covers = made.flatMap((push) => (push.covers === undefined ? [] : [coversText(push.covers)]))
  const said: string[] = []
  if (made.length > 0) said.push(`推送了 ${made.length} 个种子${covers.length === 0 ? '' : `：${covers.join('、')}`}`)
  for (const { covers: what, reason } of pushes) {
    if (reason !== undefined) said.push(`${what === undefined ? '种子' : coversText(what)}未能推送：${say(reason)}`)
  }
  if (pushes.length === 0) said.push(noneFits(refused))
  return [...said, ...sites.map(siteError)].join('；')
}

function noneFits(refused: ReasonOf<'subscription.told'>['refused']): string {
  const total = refused.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return '没有找到种子'
  const reasons = refused.map(({ why, count }) => `${count} 个${choiceRefusals[why]}`)
  return `没有找到合适的种子，${total} 个结果中：${reasons.join('，')}`
}

function siteError({ site, reason }: SiteError): string {
  return `${site}：${say(reason)}`
}

function namedReason({ name, reason }: NamedReason): string {
  return `${name}：${say(reason)}`
}

function modelStatus(status: number): string {
  if (status === 401 || status === 403) return '模型服务拒绝了密钥'
  if (status === 404) return '模型服务没有这个地址或模型'
  if (status === 429) return '模型服务正忙或额度已用完'
  if (status >= 500) return `模型服务出错（${status}）`
  if (status >= 300 && status < 400) return '模型服务要求转到别的地址'
  return `模型服务不接受这个请求（${status}）`
}

function withQuoted(said: string, words: string | undefined): string {
  return words === undefined || words === '' ? said : `${said}：${words}`
}

const signIns: Readonly<Record<ReasonOf<'news.sign_in'>['status'], string>> = {
  signed: '签到成功',
  already: '已签到过',
  failed: '签到失败',
  unsupported: '不支持签到',
}

const definitionRules: Readonly<Record<ReasonOf<'definition.wrong'>['rule'], string>> = {
  yaml: '不是有效的 YAML',
  shape: '结构不对',
  missing: '缺少必需的内容',
  unknown_field: '不认识的字段',
  filter: '不认识的过滤器',
  arguments: '过滤器的参数不对',
  pattern: '看不懂的正则表达式',
  template: '看不懂的模板',
  date_layout: '看不懂的日期格式',
  selector: '看不懂的选择器',
  address: '不是 http 或 https 地址',
  value: '值不在允许的范围内',
  too_many: '条目过多',
  too_large: '内容过长',
}

const closedAccounts = {
  disabled: '账号已被站点封禁',
  parked: '账号在站点上处于封存状态',
  either: '账号在站点上已被封禁或封存',
} as const

const renderer: Renderer = {
  'definition.unreachable': () => '无法获取这个地址上的定义，或内容过大',
  'definition.in_use': () => '还有站点在使用这个定义，请先删除这些站点',
  'definition.wrong': ({ rule, path, line }) =>
    `${line === undefined ? '' : `第 ${line} 行`}${path === '' ? '' : `（${path}）`}${line === undefined && path === '' ? '' : '：'}${definitionRules[rule]}`,

  'site.login_expired': () => '登录已失效，请更新 Cookie 或密钥',
  'site.sign_in_refused': () => '站点没有接受登录信息，请检查站点设置里填写的内容',
  'site.challenge': () => '站点要求人机验证，无法自动访问',
  'site.address_banned': () => '站点封禁了本服务访问所用的 IP 地址',
  'site.account_closed': ({ state }) => closedAccounts[state],
  'site.maintenance': () => '站点正在维护，暂时关闭',
  'site.person_needed': () => '登录需要人工输入验证码，请在浏览器中登录后把 Cookie 填到站点设置里',
  'site.no_definition': () => '这个站点的定义已不存在，或已不符合要求，请重新添加',
  'site.rate_limited': () => '站点限制了访问频率，请稍后再试',
  'site.unreachable': () => '无法连接站点',
  'site.proxy_unreachable': () => '无法连接站点的代理，请检查代理地址',
  'site.proxy_refused': () => '代理拒绝了用户名或密码',
  'site.proxy_unsupported': () => '代理只在自己的机器上运行时可用，请在站点设置中去掉代理',
  'site.certificate': () => '站点的 HTTPS 证书无效或不受信任',
  'site.timeout': () => '站点响应超时',
  'site.too_large': () => '站点返回的数据过大',
  'site.redirected': () => '站点把请求转到了别的地址，请检查站点地址',
  'site.broken': ({ part }) => siteParts[part],
  'site.search_first': () => '没有得到种子文件，请先搜索这个种子再推送',
  'site.refused': () => '站点拒绝了这个请求',
  'site.behind_down': ({ status }) => `站点本身连不上，应答的只是它前面的防护服务（HTTP 状态 ${status}）`,
  'site.status': ({ status }) => `站点返回了意外的 HTTP 状态 ${status}`,
  'site.no_credentials': () => '还没有填写 Cookie 或密钥',
  'site.secrets': ({ state }) => lost(state, '已保存的 Cookie 或密钥', '，请重新填写'),
  'site.unsupported': () => '这类站点不支持这个操作',
  'site.no_feed': () => '这个站点不向程序提供订阅地址，请从站点上复制，或读取它的最新列表',
  'site.cookie_needed': () => '订阅地址在站点的页面上，需要 Cookie 才能打开，只有密钥不行',
  'site.busy': () => '站点正在处理同样的操作',
  'site.interrupted': () => '与站点的连接被中断，请重试',

  'downloader.credentials': () => '用户名或密码错误',
  'downloader.banned': () => '下载器拒绝了来自本服务的访问：地址不在允许名单中，或因多次登录失败被暂时封禁',
  'downloader.host_refused': () => '下载器不接受这个主机名的访问，请检查它的主机名白名单',
  'downloader.unreachable': () => '无法连接下载器',
  'downloader.timeout': () => '下载器响应超时',
  'downloader.certificate': () => '无法建立加密连接：下载器的 HTTPS 证书不受信任，或主机名无法解析',
  'downloader.not_this_kind': ({ program }) => `该地址上的程序不像 ${programs[program]}，请检查类型和地址`,
  'downloader.too_large': () => '下载器返回的数据过大',
  'downloader.rejected': () => '下载器拒绝了这个请求',
  'downloader.unsupported': ({ skill }) => `这个下载器的程序不支持${skills[skill]}`,
  'downloader.labels_off': () => 'Deluge 的 Label 插件未启用，请在它的首选项中启用',
  'downloader.label_letters': () => 'Deluge 的标签只能用小写字母、数字、下划线和连字符',
  'downloader.no_daemon': () => 'Deluge 的网页可以访问，但没有连接到后台程序',
  'downloader.status': ({ status }) => `下载器返回了意外的 HTTP 状态 ${status}`,
  'downloader.secrets': ({ state }) => lost(state, '已保存的密码', '，请重新填写'),
  'downloader.interrupted': () => '与下载器的连接被中断，请重试',

  'service.not_set_up': ({ service }) => services[service].notSetUp,
  'service.not_found': ({ service }) => services[service].notFound,
  'service.refused': ({ service }) => services[service].refused,
  'service.rate_limited': ({ service }) => `${services[service].name}限制了访问频率，请稍后再试`,
  'service.busy': ({ service }) => `同时访问${services[service].name}的请求太多，请稍后再试`,
  'service.unreachable': ({ service }) => `无法连接${services[service].name}`,
  'service.certificate': ({ service }) => `${services[service].name}的 HTTPS 证书无效或不受信任`,
  'service.timeout': ({ service }) => `${services[service].name}响应超时`,
  'service.too_large': ({ service }) => `${services[service].name}返回的数据过大`,
  'service.redirected': ({ service }) => `${services[service].name}把请求转到了别的地址，请检查设置的地址`,
  'service.broken': ({ service }) => services[service].broken,
  'service.status': ({ service, status }) => `${services[service].name}返回了意外的 HTTP 状态 ${status}`,
  'service.proxy_unreachable': () => '无法连接代理，请检查代理地址',
  'service.proxy_refused': () => '代理拒绝了用户名或密码',
  'service.proxy_unsupported': () => '代理只在自己的机器上运行时可用，请在设置中去掉代理',
  'service.secrets': ({ state }) => lost(state, '已保存的密钥或代理', '，请重新填写'),
  'service.interrupted': () => '服务内部的连接被中断，请重试',

  'channel.credentials': () => '对方不接受令牌或密钥',
  'channel.rejected': () => '对方不接受这条消息，请检查会话编号和接收格式',
  'channel.not_found': () => '该地址上没有接收方，请检查地址和令牌',
  'channel.rate_limited': () => '对方限制了发送频率',
  'channel.unreachable': () => '无法连接接收方',
  'channel.timeout': () => '接收方响应超时',
  'channel.certificate': () => '无法建立加密连接：接收方的 HTTPS 证书不受信任，或主机名无法解析',
  'channel.redirected': () => '接收方把请求转到了别的地址，请填写最终的地址',
  'channel.not_a_bot': () => '该地址的应答不像机器人接口，请检查地址',
  'channel.foreign': () => '该地址的应答不是来自这个服务，请检查地址',
  'channel.too_large': () => '接收方返回的数据过大',
  'channel.status': ({ status }) => `接收方返回了意外的 HTTP 状态 ${status}`,
  'channel.secrets': ({ state }) => lost(state, '已保存的地址和令牌', '，请重新填写'),

  'model.disabled': () => '助手已停用',
  'model.secrets': ({ state }) => lost(state, '模型的密钥', ''),
  'model.no_gateway': () => '本机的模型网关没有可用的密钥',
  'model.unreachable': () => '无法连接模型服务',
  'model.timeout': () => '模型服务没有及时回答',
  'model.refused': ({ status, quoted }) => withQuoted(modelStatus(status), quoted),
  'model.not_chat': () => '模型服务的回答不是对话接口的格式',
  'model.too_large': () => '模型服务的回答过大',
  'model.cut': () => '模型服务的回答中途断开',
  'model.failed': ({ quoted }) => withQuoted('模型服务在回答中报告了错误', quoted),
  'model.filtered': () => '模型拒绝回答这个问题',
  'model.stopped': () => '已停止',

  'template.not_closed': (fault) => inTemplate(fault, '标签没有结束'),
  'template.unknown_tag': (fault) => inTemplate(fault, `没有标签 ${fault.name}`),
  'template.unknown_filter': (fault) => inTemplate(fault, `没有过滤器 ${fault.name}${meant(fault.near)}`),
  'template.unknown_variable': (fault) => inTemplate(fault, `没有变量 ${fault.name}${meant(fault.near)}`),
  'template.list_as_text': (fault) => inTemplate(fault, '列表不能直接输出，请用 for 逐项输出'),
  'template.tag_too_long': (fault) => inTemplate(fault, '这个标签过长'),
  'template.text_too_long': (fault) => inTemplate(fault, '模板过长'),
  'template.output_too_long': (fault) => inTemplate(fault, '生成的内容过长'),
  'template.too_much_work': (fault) => inTemplate(fault, '模板的计算量过大'),
  'template.syntax': (fault) => inTemplate(fault, '写法不正确'),

  'push.space_unread': () => '无法读取下载器的剩余空间，已停止推送',
  'push.capacity_unread': () => '无法读取站点的做种体积，已停止推送',
  'push.space_low': ({ left, kept }) => `下载器剩余空间不足：扣除未完成的任务后剩余 ${gib(left)}，需保留 ${gib(kept)}`,
  'push.space_too_little': ({ left, size, kept }) =>
    `下载器剩余空间不足：剩余 ${gib(left)}，种子大小 ${gib(size)}，需保留 ${gib(kept)}`,
  'push.capacity_full': ({ seeding, size, limit }) =>
    `超过站点的做种容量：已有 ${gib(seeding)}，种子大小 ${gib(size)}，上限 ${gib(limit)}`,
  'push.file_refused': () => '下载器不接受这个种子文件：文件有误，或它的版本不支持这种格式',
  'push.version_unread': () =>
    '下载器读不了这个种子文件：它含有第 2 版（v2）的部分，而这个程序的版本不支持。Transmission 从 4.0 起支持',
  'push.not_listed': () => '下载器已接受，但列表中还没有这个种子',
  'push.cut_off': () => '推送中断，下载器中没有这个种子',
  'push.interrupted': () => '推送被中断，结果请看推送记录',
  'push.busy': () => '这个站点正在推送其他种子，请稍后再试',
  'push.there_already': () => '下载器中已有这个种子',
  'push.overruled': ({ rule, decided }) => `手动推送，${overruled(rule, decided)}`,
  'push.decided_anew': () => '其间已重新判定，请再看一次',
  'push.free_ending': ({ title, paused, why }) =>
    `${freeEndWhys[why]}，${paused ? '已暂停' : '未暂停'}${title === undefined ? '' : `：${title}`}`,
  'push.download': ({ reason }) => `下载种子文件失败：${say(reason)}`,

  'search.failed': ({ sites }) =>
    `搜索失败：${searchGroups(sites, say)
      .map(({ said, names }) => `${said}（${names.join('、')}）`)
      .join('；')}`,
  'subscription.told': searchRun,
  'subscription.nothing_wanted': () => '目前没有要找的内容',
  'subscription.no_sites': () => '没有可以搜索的站点',
  'subscription.all_there': () => '已全部入库',
  'subscription.pushed_before': () => '已经推送过',
  'subscription.push_cut': () => '推送被中断',
  'subscription.site_busy': () => '站点正在推送其他种子',
  'subscription.not_complete': () => '没有下载完成',
  'subscription.never_complete': () => '一直没有下载完成',
  'subscription.never_organised': () => '一直没有入库',
  'subscription.not_active': () => '只有进行中的订阅可以搜索',
  'subscription.busy': () => '正在为这个订阅搜索，请稍后再试',

  'torrent_run.more_match': ({ count, limit }) =>
    `符合条件的种子现在有 ${count} 个，多于确认时的 ${limit} 个，未做任何操作`,
  'torrent_run.too_many': ({ limit }) => `最多同时进行 ${limit} 个批量操作，请等其中一个结束`,
  'stream.too_many': ({ limit }) => `最多同时有 ${limit} 个页面实时更新`,
  'message.too_many': ({ limit }) => `脚本每小时最多发送 ${limit} 条消息`,
  'torrent_run.no_way_back': () => '这个批量操作不能撤销，或尚未结束',
  'media.no_library': ({ media }) => `没有${media === 'movie' ? '电影' : '剧集'}媒体库，留在原处`,
  'media.held_already': () => '媒体库中已有同样或更好的版本，留在原处',
  'media.replaced': () => '已被更好的版本取代',
  'media.files_deleted': () => '种子和文件已从下载器中删除',
  'media.incomplete': () => '下载器中的种子还不完整',
  'media.not_moved': () => '下载器没有把文件移动到媒体库，请检查目录和权限',
  'media.files_busy': () => '下载器正在校验或移动这个种子',
  'media.not_needed': () => '只有失败或跳过的记录可以再次整理',
  'media.titles_gone': ({ titles }) => `影视资料服务没有这部影片，或没有这一季：${titles.join('、')}`,
  'media.title_unknown': () => '影视资料服务没有这部影片，或没有这一季',
  'media.subscribed': () => '已经订阅过了',
  'media.film_has_no_season': () => '影片没有季',

  'rss.free_only': () => '免费种子',
  'rss.told_only': () => '无（该规则仅通知）',
  'announce.own_machine': () => '频道只在自己的机器上可用',
  'brush.removed': ({ why }) => brushReasons[why],
  'transfer.incomplete': () => '尚未下载完：只能转移完整的种子',
  'transfer.no_file': () => '拿不到种子文件：下载器不提供，也不是从这里的站点推送的',
  'transfer.other_file': () => '得到的种子文件属于另一个种子',
  'transfer.stopped': () => '已停止，种子留在原处',
  'transfer.not_whole': ({ percent }) => `目标下载器在目录中只找到 ${percent} % 的数据，须为全部；种子留在原处`,
  'transfer.too_slow': () => '校验没有按时完成，种子留在原处',
  'reseed.other_files': () => '站点上同名的种子文件不同',
  'reseed.not_whole': ({ percent }) => `下载器在磁盘上只找到 ${percent} % 的数据，须为全部；已移除该种子`,
  'reseed.refused': ({ quoted }) => `辅种服务回复：${quoted}`,
  'plan.no_figures': () => '还没有读到这个站点的账号数据',
  'plan.no_levels': () => '不知道这个站点的等级要求',
  'plan.level_unknown': () => '站点显示的等级不在已知的等级之中',
  'plan.highest': () => '已经是能自行升到的最高等级',
  'plan.too_old': () => '计划已过期，请重新制定',
  'plan.over': () => '计划已经结束',
  'plan.not_free': () => '站点的列表中，这个种子已不再免费，或免费时间所剩不多',
  'torrent.ended': ({ action, rule, title }) => `按规则“${rule}”${endActions[action]}：${title}`,

  'sign_in.done': () => '签到成功',
  'sign_in.already': () => '今天已经签到过',
  'sign_in.by_person': () => '站点签到需要人工验证',
  'sign_in.not_offered': () => '这个站点不支持自动签到',
  'sign_in.gave_up': () => '自动签到多次未能完成',
  'sign_in.busy': () => '这个站点正在签到或检查登录',
  'sign_in.failed': ({ reason }) => `签到失败：${say(reason)}`,

  'account.unauthorized': () => '需要有效的访问令牌或登录',
  'account.foreign_page': () => '拒绝来自其他网站的请求',
  'account.unreadable': () => '暂时无法核对访问令牌',
  'account.no_permission': ({ holder, scope }) => `${holder === 'device' ? '设备' : '令牌'}没有所需的权限 ${scope}`,
  'account.setup_code_wrong': () => '设置链接不对或已经用过',
  'account.no_setup_code': () => '没有可用的设置链接',
  'account.password_wrong': () => '密码不对',
  'account.current_password_wrong': () => '当前密码不对',
  'account.not_set_up': () => '还没有设置密码，请先打开设置链接',
  'account.too_many_attempts': () => '尝试次数过多，请稍后再试',
  'account.no_master_key': () => '没有主密钥',
  'account.passkey_needs_name': () => '通行密钥只能在用域名（或 localhost）打开的页面上使用',
  'account.passkey_refused': () => '通行密钥没有通过验证，请重试',
  'device.refused': () => '不接受这个请求，请重新建立会话',
  'device.unreadable': () => '暂时无法核对设备',

  none: ({ what }) => missing[what],
  none_enabled: () => '没有已启用的下载器',
  off: () => '站点未启用',
  too_many: ({ what, limit }) => `最多只能有 ${limit} ${bounded[what]}`,
  from_file: ({ what }) => `这个${named[what]}由配置文件声明，请在文件里修改`,
  name_taken: ({ what }) => `已有同名的${named[what]}`,
  profile_is_default: () => '这是默认的画质方案，请先把另一个方案设为默认',
  'watchlist.cut': ({ read }) => `片单太长，只读取了前 ${read} 条`,
  cannot_seal: ({ what }) => `主密钥丢失或已更换，${sealed[what]}`,
  cannot_open: ({ what, state }) =>
    `${state === 'missing' ? '主密钥丢失' : '主密钥已更换'}，${
      what === 'site' ? '已保存的 Cookie 和密钥无法读取，请重新填写' : '已保存的密码无法读取，请重新填写密码'
    }`,
  downloader_deleted: () => '下载器已被删除',
  torrent_removed: () => '种子已从下载器中移除',
  accepted_not_settled: () => '下载器已接受，尚未生效',
  figures_unreadable: () => '站点统计暂时无法读取',
  history_unreadable: () => '历史统计暂时无法读取',
  audit_unavailable: () => '操作记录暂时无法写入，操作没有执行',
  'machine.disk_full': ({ path }) => `${holding(path)}磁盘已满，无法保存任何内容。请清出一些空间，无需重启`,
  'machine.disk_unwritable': ({ path }) => `${holding(path)}磁盘无法写入。请以可写方式挂载，并确认运行用户有权限`,
  'machine.disk_low': ({ path, left }) => `${holding(path)}磁盘只剩 ${gib(left)}，请在写满之前清出一些空间`,
  'machine.database_damaged': ({ path, backup }) =>
    `数据库${path === undefined ? '' : ` ${path} `}已损坏。请停止 Wharf 并恢复备份${backup === undefined ? '' : `；最新的备份是 ${backup}`}`,
  'machine.journal_cut': ({ path, backup }) =>
    `数据库 ${path} 的日志已损坏，最后写入的内容已丢失，此前的内容完好。如有缺失，请恢复备份${backup === undefined ? '' : `；最新的备份是 ${backup}`}`,
  'machine.database_silent': () => '数据库没有响应，详情见 Wharf 的日志',
  'machine.clock_behind': ({ now, seen }) =>
    `本机时钟不对：现在显示 ${utc(now)}，但本服务在 ${utc(seen)} 已使用过。请校准时钟，登录与时间随即恢复正常`,
  'machine.clock_ahead': ({ now, seen }) =>
    `本机时钟可能不对：现在显示 ${utc(now)}，而本服务上次使用是在 ${utc(seen)}。如果并非如此，请校准时钟`,
  'machine.network_lost': ({ since }) =>
    `本机自 ${utc(since)} 起无法连接网络。请检查网络连接与 DNS，恢复后 Wharf 会自动继续`,
  'backup.failed': ({ trouble }) => `备份未能完成或读取：${troubled(trouble)}`,
  'backup.not_made': ({ trouble }) => `每日备份未能完成：${troubled(trouble)}。一小时内会再次尝试`,
  'backup.not_sent': ({ trouble }) => `备份未能发送到存储桶：${troubled(trouble)}。本机已保留，一小时内会再次尝试`,
  'backup.not_whole': ({ trouble }) => `备份不能使用：${troubled(trouble)}`,
  'backup.busy': () => '正在制作或校验另一个备份，请稍候',
  internal: () => '服务内部错误',

  'field.wrong': ({ field, part, rule }) => `${parts[part]} ${field} 不正确${ruled(rule)}`,
  'field.missing': ({ field, part }) => `缺少${parts[part]} ${field}`,
  'field.wrong_type': ({ field, rule }) => `字段 ${field} 的类型不对${ruled(rule)}`,
  'field.fill_in': ({ field }) => `请填写字段 ${field}`,
  'field.fill_in_again': ({ field, changed }) =>
    `${changed === 'address' ? '地址' : '地址或类型'}已改变，请重新填写字段 ${field}`,
  'field.unknown': ({ fields }) => `请求包含未知字段：${fields.join('、')}`,
  'field.once': ({ field }) => `参数 ${field} 只能出现一次`,
  'field.only_for': ({ fields, type }) => `字段 ${fields.join(' 和 ')} 只用于类型 ${type} 的渠道`,
  'body.not_an_object': () => '请求体必须是 JSON 对象',
  'body.not_taken': () => '这个操作不接受请求体',
  'body.empty': () => '缺少请求体',
  'body.not_json': () => '请求体不是合法的 JSON',
  'body.too_deep': () => '请求体嵌套过深',
  'body.broken_off': () => '请求体没有传完',
  'body.too_large': ({ limit }) => `请求体超过 ${limit / 1024 ** 2} MiB`,
  method: ({ allowed }) => `这个地址只接受 ${allowed.join('、')}`,
  'rule.one_of': ({ values }) => `可用的值：${values.join('、')}`,
  'rule.at_most': ({ limit, unit }) => bound({ few: '最多', value: '最大为' }, limit, unit),
  'rule.at_least': ({ limit, unit }) => bound({ few: '至少', value: '最小为' }, limit, unit),
  'rule.each_once': () => '须恰好列出每一条各一次',
  'rule.not_empty': () => '不能为空',
  'rule.one_page': () => '搜索只有一页',
  'rule.kind_stays': () => '渠道的类型不能修改',
  'rule.not_of_definition': () => '与定义不符',
  'rule.too_long': () => '内容过长',
  'rule.not_a_free_header': () => '有的名称不能用作自定义请求头',
  'rule.header_twice': () => '同一个请求头只能写一次',
  'rule.magnet': () => '不是带有一个特征码的磁力链接',
  'rule.tracker': () => '不是 Tracker 地址，应以 http、https、udp、ws 或 wss 开头',
  'rule.inside': () => '应是种子内部的名称或路径',
  'rule.torrent_file': () => '不是完整的种子文件',
  'rule.public_address': () => '必须是公网域名的 http 或 https 地址',
  'rule.one_source': () => 'magnet、address、file 必须且只能填一个',
  'rule.time_zone': () => '没有这个时区',
  'rule.no_torrent_list': () => '这类站点没有种子列表',
  'rule.body_only': () => '这个事件只有正文',
  'rule.not_below': ({ field }) => `不能小于 ${field}`,
  'address.incomplete': () => '地址不完整或写法不对，应类似 http://192.168.1.2:8080',
  'address.scheme': () => '地址只能以 http:// 或 https:// 开头',
  'address.user': () => '地址中不要写用户名和密码，请填在各自的栏中',
  'address.query': () => '地址中不要带 ? 或 # 之后的内容',
  'address.https': () => '会向这个地址发送令牌，所以必须以 https:// 开头',
  'address.fragment': () => '地址中不要带 # 之后的内容',
  'proxy.scheme': () => '代理地址要以 http:// 或 https:// 开头',
  'proxy.broken': () => '代理地址写法不对，应类似 http://用户名:密码@127.0.0.1:7890',
  'proxy.rest': () => '代理地址在端口之后不要有内容',
  'proxy.password_alone': () => '代理地址中有密码但没有用户名',
  'proxy.unsupported': () => '代理只在自己的机器上运行时可用，部署在边缘时不能设置',
  'cookie.unreadable': () => '看不懂的格式；可以粘贴 Cookie 请求头、扩展导出的 JSON 或 Netscape 格式的 cookies.txt',
  'cookie.none_fits': ({ host }) => `其中没有 ${host} 的 Cookie`,
  'cookie.expired': ({ host }) => `其中 ${host} 的 Cookie 都已过期，请重新登录后再导出`,
  'cookie.too_long': ({ limit }) => `这个站点的 Cookie 合起来超过 ${limit} 个字符`,
  'cookie.push_refused': () => '不接受这次推送；请核对扩展中的 UUID 和密码，或在设置中重新生成',
  'cookie.no_push': () => '内容不是 Cookie 推送',
  'cookie.push_sealed': () => '主密钥丢失或已更换，无法读取推送；请在设置中重新生成密码',
  'cookie.renewed': ({ sites }) => `已更新 Cookie：${sites.join('、')}`,
  'path.control': () => '不能含有控制字符',
  'path.relative': () => '须为下载器所在机器上的绝对路径',
  'path.backslash': () => '不能含有反斜杠',
  'path.upwards': () => '不能含有 . 或 ..',
  'path.root': () => '不能是根目录',
  'path.too_long': ({ limit }) => `最多 ${limit} 个字节`,

  'assistant.busy': () => '这个对话正在回答，请先等它结束或停止它',
  'gateway.unavailable': () => '模型网关没有给出可以读取的回答',
  'assistant.unavailable': () => '助手暂时不可用，消息没有收下',
  'assistant.disabled': () => '助手没有启用，或没有设置模型',
  'assistant.decided': () => '这个操作已经有了结果',
  'assistant.too_many': ({ limit }) => `助手正在回答 ${limit} 个问题，请稍后再试`,
  'assistant.not_audited': () => '操作记录暂时无法写入，没有作出决定',
  'assistant.unread': () => '对话列表暂时无法读取',
  'assistant.asked_in_vain': () => '请求了太多不存在的对话，请稍后再试',
  'assistant.same_torrent_twice': () => '同一个种子出现了两次',
  'assistant.unshowable': ({ what }) => `${what === 'category' ? '分类' : '标签'}里有不能照原样显示的字符`,
  'run.interrupted': () => '服务在回答过程中重新启动',
  'run.steps': () => '已达到一次回答的步数上限',
  'run.no_answer': () => '模型没有给出回答',
  'run.cut': () => '回答过长，已截断',
  'run.output_limit': () => '已达到模型的输出上限，回答可能不完整',

  'chat.cut_off': () => '服务在处理这条消息时重新启动，结果未知，没有重复执行；请核对实际状态',
  'chat.button_over': () => '这个按钮已经用过，或者已经过期',
  'chat.not_allowed': () => '这个会话不能使用这条指令',
  'chat.no_words': () => '指令后面需要写明要找的文字',
  'chat.unreadable': () => '服务没有给出可以读取的回答',
  'chat.no_bot': () => '这个渠道不是机器人',
  'chat.off': () => '需要先让机器人接收消息',
  'chat.no_https': () => '只有以 https 打开控制台，或在 PUBLIC_URL 中写明 https 地址，才能由平台送来消息',

  'tunnel.broken': () => '隧道里的请求不完整，或者有不认识的内容',
  'tunnel.header': () => '隧道里的请求有不合法的请求头',
  'tunnel.path': ({ limit }) => `路径最长 ${limit} 字节`,
  'tunnel.too_many': ({ limit }) => `一次会话最多同时有 ${limit} 个请求`,
  'tunnel.body': ({ limit }) => `内容超过 ${limit} 字节`,

  'news.covers': ({ covers }) => (covers === undefined ? '' : coversText(covers)),
  'news.title': ({ title, season }) => (season === 0 ? title : `${title} 第 ${season} 季`),
  'news.sign_in': ({ status }) => signIns[status],

  several: ({ of }) => of.map(namedReason).join('；'),
  each: ({ reasons }) => reasons.map(say).join('；'),
  quoted: ({ words }) => words,
}

const say = renderWith(renderer)

export const inChinese: (reason: Reason) => string = say

/** Every kind there is: the compiler holds the renderer against the union. */
export const reasonKinds = Object.keys(renderer) as readonly ReasonKind[]

export function isReasonKind(word: unknown): word is ReasonKind {
  return typeof word === 'string' && Object.hasOwn(renderer, word)
}

function holding(path: string | undefined): string {
  return path === undefined ? '' : `${path} 所在的`
}
