/** Why the server refuses a request, by kind: what `core/refusal.ts` has in English. Words of other programs stay as they are, in quotes. */
import { saidIn } from '#shared/kernel/fault-words.ts'
import type { WireRefusal } from '../../contract/error.ts'

type OfKind<Fault, Kind> = Extract<Fault, { readonly kind: Kind }>
type ConfigurationFault = OfKind<WireRefusal, 'configuration'>['fault']
type SignInFault = OfKind<WireRefusal, 'sign_in'>['fault']
type OwnerKeyFault = OfKind<SignInFault, 'unkept'>['fault']

type WordsFor<Fault extends { readonly kind: string }> = {
  readonly [Kind in Fault['kind']]: string | ((facts: OfKind<Fault, Kind>) => string)
}

const configuration: WordsFor<ConfigurationFault> = {
  unread: ({ file }) => `${file} 无法读取`,
  too_long: ({ file, bytesMax }) => `${file} 超过 ${bytesMax} 字节`,
  leads_out: ({ file }) => `${file} 是指向项目之外的链接`,
  syntax: ({ file, line, reason }) => `${file}:${line}：“${reason}”`,
  repeats: ({ file, line }) => `${file}:${line}：开头部分重复过多`,
  value: ({ file, line, name, reason }) => `${file}:${line}：${name} “${reason}”`,
  unknown_key: ({ file, line, name }) => `${file}:${line}：没有 ${name} 这个键`,
  unfilled: ({ file, line, reference }) => `${file}:${line}：无法读取 ${reference}`,
  too_many_rules: ({ file, most }) => `${file}：instructions 超过 ${most} 个文件`,
}

const ownerKey: WordsFor<OwnerKeyFault> = {
  unmade: ({ file }) => `无法创建 ${file}`,
  unread: ({ file }) => `无法读取 ${file}；删除它，已登录的需重新登录`,
  damaged: ({ file }) => `${file} 已损坏；删除它，已登录的需重新登录`,
  open: ({ file }) => `他人可以读取 ${file}；删除它，已登录的需重新登录`,
}

const signIn: WordsFor<SignInFault> = {
  unknown: '没有这个名称的工具服务器',
  program: '这个工具服务器是本机的程序，无需登录',
  has_credentials: '配置已在 "headers" 中给出这个工具服务器的凭据',
  not_asked: '这个工具服务器不要求登录',
  unreachable: ({ host }) => `无法连接到 ${host}`,
  guarded: ({ host }) => `登录指向 ${host}，不会向它发出请求：只访问互联网上的 https 地址和工具服务器自身的地址`,
  no_registration: '登录处不接受它不认识的程序：请在那里注册一个，并写入工具服务器的 "oauth"',
  refused: ({ words }) => `登录被拒绝：“${words}”`,
  unusable: '登录处没有按协议应答',
  not_waiting: '没有登录在等这个应答：请重新开始',
  wrong_answer: '这不是此次登录返回的地址',
  no_port: ({ port }) => `登录返回所用的本机端口 ${port} 已被占用`,
  unkept: ({ fault }) => saidIn(ownerKey, fault) ?? '',
}

const refusals: WordsFor<WireRefusal> = {
  host_count: '请求应当只有一个 Host 标头',
  host_malformed: 'Host 标头格式有误',
  host_foreign: 'Host 标头指向另一台服务器',
  origins: 'Origin 标头不止一个',
  origin_foreign: '请求来自另一个源',
  site_foreign: '请求来自另一个站点',
  target_malformed: '请求的地址格式有误',
  target_upwards: '请求的地址指向上级',
  origin_missing: '凭 Cookie 所做的更改需要本服务器的 Origin',
  credentials: '需要有效的凭据',
  passwords: ({ seconds }) => `来自那里的错误密码过多；${seconds} 秒后才会再看`,
  address_used: '这个地址已用过，或不是打印出来的那个',
  message_malformed: '这不是 HTTP 请求',
  message_headers: '标头过大',
  message_slow: '请求没有及时发完',
  methods: ({ names }) => `这个路径只接受 ${names}`,
  no_route: '没有这个路径',
  parameter_twice: ({ name }) => `${name} 给出了两次`,
  parameter_missing: ({ name }) => `缺少 ${name}`,
  content_type: '正文的类型应为 application/json',
  body_unwanted: '这个路径不接受正文',
  body_too_large: '正文过大',
  body_empty: '缺少 JSON 正文',
  body_not_json: '正文不是 JSON',
  body_too_deep: '正文嵌套过深',
  body_broken_off: '正文中断了',
  value: ({ field, said, least, most }) => {
    const name = field === '' ? '请求' : field
    if (most !== undefined) return `${name} 超过上限 ${most}`
    return least === undefined ? `${name} 的值不可用：“${said}”` : `${name} 低于下限 ${least}`
  },
  excluding: ({ names }) => `不能同时给出 ${names.replace(' and ', ' 和 ')}`,
  subpath_alone: 'subpath 需要 project',
  derived_alone: 'derived 只用于删除',
  cursor_foreign: '这个游标不属于此列表',
  cursor_search: '这个游标不属于此搜索',
  cursor_session: '这个游标不属于此会话',
  cursor_beyond: '这个游标晚于最新的事件',
  cursor_order: '游标自带顺序',
  cursor_other: ({ name }) => `这个游标对应另一个 ${name}`,
  streams: '打开的事件流过多',
  no_socket: '这个路径接受 WebSocket 连接',

  no_session: '没有这个会话',
  session_begins: '会话正在创建',
  session_works: '会话正在工作',
  interrupted: '它被中断了',
  no_message: '没有这条消息',
  no_summary: '模型未能总结会话',
  no_prompt: '没有这个提示',
  prompt_taken: '提示已被接收',
  prompt_withdrawn: '提示已被撤回',
  prompt_differs: '已有另一个提示用了这个 id',
  prompts: ({ most }) => `会话已有 ${most} 个提示在等待`,
  text_too_long: ({ most }) => `文字超过 ${most} 字节`,
  text_missing: '没有文件的提示需要文字',
  no_agent: ({ name }) => `没有可用的智能体 ${JSON.stringify(name)}`,
  tool_server: ({ said }) => `工具服务器出错了：“${said}”`,
  file_address: 'data 地址格式有误',
  file_too_large: '文件过大',
  file_not_image: '图片的 data 地址须是该类型的 PNG、JPEG、GIF 或 WebP 图片的 base64',
  file_scheme: '文件需要 file: 或 data: 地址',
  file_missing: '文件不存在',
  file_not_base64: '内嵌的文件不是 base64',
  file_form: '内嵌的文件须是 PNG、JPEG、GIF 或 WebP 图片',
  file_type: ({ told, found }) => `内嵌的文件自称 ${told}，实为 ${found}`,
  no_permission: '没有这个待答复的权限请求',
  no_question: '没有这个待答复的提问',
  answers: ({ count }) => `应当有 ${count} 个回答`,
  answer_one: ({ question }) => `第 ${question} 个问题只能有一个回答`,
  answer_offered: ({ question }) => `第 ${question} 个问题只能选给出的回答`,
  no_command: '没有这个后台命令',
  no_note: '没有这条笔记',
  policy_excluded: '服务器已将这个会话排除在外',
  policy_revision: ({ revision }) => `策略已是第 ${revision} 版`,
  selection_changed: '所选内容与预览时不同了；未做任何更改',

  no_directory: '文件夹不存在',
  no_file: '没有这个文件',
  path_malformed: '路径格式有误',
  path_outside: '路径指向项目之外',
  file_over_bound: ({ most }) => `文件超过 ${most} 字节`,
  no_status: 'git 没有说明有何不同',
  caller_left: '未及应答，请求方已离开',
  unrecorded: '无法记录这个文件夹中的文件',
  no_change: '没有这个文件的更改记录',
  file_changed: '文件在此期间已被更改',
  no_hunk: '没有这个区块',
  changed_by_others: ({ names }) => `他人更改了同一处：${names}`,
  changed_in_project: ({ names }) => `项目中同一处已被更改：${names}`,

  tree_needs_git: '只有 git 仓库中的文件夹才能有工作树',
  tree_needs_commit: '仓库还没有可用来建立工作树的提交',
  tree_unmade: '无法建立工作树',
  tree_unread: '无法读取工作树中的文件',
  tree_gone: '会话的工作树已被丢弃',
  trees: ({ most }) => `已有 ${most} 个工作树：请合并或丢弃一个`,
  no_tree: '会话没有工作树',
  project_moved: ({ project }) => `项目已不在 ${project}`,
  project_unwritten: '无法写入项目的文件',
  no_schedule: '没有这个计划',
  schedules: ({ most }) => `已有 ${most} 个计划：请删除一个`,
  schedule_untimed: '计划需要开始时间、间隔，或两者都有',
  schedule_past: '开始时间已过',
  schedule_far: '开始时间太远',
  no_terminal: '没有这个终端',
  terminals: ({ most }) => `最多同时有 ${most} 个终端`,
  terminal_unopened: '无法打开终端',
  ticket: '这张票不属于此终端，或已用过',

  no_provider: '没有这个提供方',
  configuration: ({ fault }) => `配置有误：${saidIn(configuration, fault) ?? ''}`,
  sign_in: ({ fault }) => saidIn(signIn, fault) ?? '',
  no_room: '数据库没有空间了：已存的可以读取，删除旧会话可腾出空间',
  no_room_at_start: '磁盘没有空间了：已存的可以读取。请腾出空间，再重新启动服务器',
  storage_damaged: ({ said }) => `存储已损坏：“${said}”`,
  storage_copy: ({ said, taken, copy }) =>
    `存储已损坏：“${said}”。所示为 ${taken} 的副本 ${copy}，在此之前不存储任何内容`,
  not_started: '这个工具没有启动；原因见 npm start 打印的内容',
  not_completed: '服务器未能完成请求',
}

/** Undefined for a kind that a newer server has. */
export function refusalInChinese(why: WireRefusal): string | undefined {
  const said = saidIn(refusals, why)
  return said === undefined || said === '' ? undefined : `${said}。`
}
