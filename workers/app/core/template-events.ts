/** Every event that has a message template: its variables, a sample of each, and the text it has until the owner writes another. */
import type { ScalarValue, ScalarVariable, TemplateEvent, TemplateVariable } from './template-event.ts'
import { englishEvents, englishSamples } from './template-events-english.ts'
import type { OwnerLanguage, TemplateGroup, TemplateType } from './vocabulary.ts'

export const templateGroupTexts: Readonly<Record<TemplateGroup, { readonly name: string; readonly desc: string }>> = {
  notify: { name: '通知', desc: '由服务发出，送到通知渠道' },
  reply: { name: '指令回复', desc: '对聊天指令的回复，只有正文' },
  assistant: { name: '助手', desc: '助手在对话中的提示，只有正文' },
}

/** Variables of every event. */
export const commonVariables: readonly ScalarVariable[] = [
  { key: 'service', type: 'string', desc: '服务名称', sample: 'Wharf' },
  { key: 'event', type: 'string', desc: '事件名称', sample: '下载完成' },
  { key: 'date', type: 'string', desc: '事件发生的日期', sample: '2026-11-22' },
  { key: 'time', type: 'string', desc: '事件发生的时刻', sample: '11:20' },
]

function text(key: string, desc: string, sample: string): ScalarVariable {
  return { key, type: 'string', desc, sample }
}
function whole(key: string, desc: string, sample: number): ScalarVariable {
  return { key, type: 'int', desc, sample }
}
function flag(key: string, desc: string, sample: boolean): ScalarVariable {
  return { key, type: 'bool', desc, sample }
}

/** By which a row and its button belong together. */
const number = (sample: number) => whole('number', '序号，与按钮对应', sample)
const site = text('site', '站点名称', 'Lantern')
const downloader = text('downloader', '下载器名称', 'nas-1')
const reason = (sample: string) => text('reason', '原因', sample)
const torrent: readonly TemplateVariable[] = [
  site,
  text('title', '种子标题', 'The Salt Road S02E06'),
  whole('size', '大小，字节', 9_040_927_130),
  text('size_text', '大小，便于阅读', '8.42 GiB'),
  downloader,
]

const subscription: readonly TemplateVariable[] = [
  text('subscription', '订阅的名称', '盐路 第 2 季'),
  text('covers', '包含的集，影片为空', '第 6 集'),
]

const media: readonly TemplateVariable[] = [
  text('media', '影片或剧集的名称', '盐路'),
  text('part', '季和集，电影为空', 'S02E06'),
  text('library', '媒体库名称，没有时为空', '剧集'),
  text('title', '种子标题', 'The Salt Road S02E06'),
  whole('size', '大小，字节', 9_040_927_130),
  text('size_text', '大小，便于阅读', '8.42 GiB'),
]

type EventText = Omit<TemplateEvent, 'type' | 'group'>

const notices = {
  'attendance.summary': {
    name: '每日签到汇总',
    desc: '当天所有自动签到都有了结果',
    title: '签到：{{ done }} 个成功{% if failed > 0 %}，{{ failed }} 个失败{% endif %}',
    text: '{% for item in items %}{{ item.site }}　{{ item.status_text }}{% if item.message != "" %}　{{ item.message }}{% endif %}\n{% endfor %}',
    vars: [
      whole('total', '自动签到的站点数', 2),
      whole('done', '成功的站点数，已签到过的也算', 1),
      whole('failed', '失败的站点数', 1),
      {
        key: 'items',
        type: 'list',
        desc: '各站点的结果',
        item: [
          site,
          text('status_text', '结果', '签到成功'),
          text('message', '站点的说明或失败原因', '获得 20 魔力值'),
        ],
        more: [{ site: 'Northgate', status_text: '签到失败', message: '登录已失效，请更新 Cookie 或密钥' }],
      },
    ],
  },
  'attendance.failed': {
    name: '签到失败',
    desc: '一个站点当天的自动签到多次尝试后仍然失败',
    title: '{{ site }} 签到失败',
    text: '{{ reason }}\n已尝试 {{ attempts }} 次，今天不再自动签到。',
    vars: [site, reason('登录已失效，请更新 Cookie 或密钥'), whole('attempts', '尝试次数', 3)],
  },
  'login.reminder': {
    name: '登录提醒',
    desc: '账号长期未访问，临近站点的保号期限',
    title: '{{ site }} 需要登录{% if days_remaining >= 0 %}，还剩 {{ days_remaining }} 天{% endif %}',
    text: '{% if days_remaining < 0 %}已超过站点的保号期限。{% else %}距离站点的保号期限还有 {{ days_remaining }} 天。{% endif %}\n{% if urgent %}账号随时可能被封禁，请立即登录。{% else %}请在期限前登录一次。{% endif %}',
    vars: [
      site,
      whole('days_remaining', '剩余天数，负数表示已超过', 3),
      text('tier', '提醒档位：30d、14d、7d、3d 或 banned-imminent', '3d'),
      flag('urgent', '是否已到最后一档', false),
    ],
  },
  'site.failed': {
    name: '站点异常',
    desc: '检查站点时发现登录失效或站点无法读取',
    title: '{{ site }} {% if expired %}登录已失效{% else %}无法读取{% endif %}',
    text: '{{ reason }}',
    vars: [site, reason('登录已失效，请更新 Cookie 或密钥'), flag('expired', '是否为登录失效', true)],
  },
  'push.done': {
    name: '推送成功',
    desc: '种子已加入下载器',
    title: '已推送到 {{ downloader }}',
    text: '{{ title }}\n{{ site }}　{{ size_text }}',
    vars: torrent,
  },
  'push.stopped': {
    name: '推送未完成',
    desc: '推送被容量或空间的限制拦下，或下载器没有接受',
    title: '推送未完成：{{ reason }}',
    text: '{{ title }}\n{{ site }}　{{ size_text }}　{{ downloader }}',
    vars: [...torrent, reason('下载器剩余空间不足')],
  },
  'push.completed': {
    name: '下载完成',
    desc: '推送的种子已下载完成',
    title: '下载完成',
    text: '{{ title }}\n{{ site }}　{{ size_text }}　{{ downloader }}',
    vars: torrent,
  },
  'push.free_ending': {
    name: '免费即将结束',
    desc: '推送的免费种子在免费结束前无法下载完，或站点没有说明何时结束',
    title: '免费期限：{{ title }}',
    text: '{{ reason }}\n{{ site }}　{{ size_text }}　{{ downloader }}',
    vars: [...torrent, reason('免费结束前无法下载完，未暂停')],
  },
  'subscription.pushed': {
    name: '订阅已推送',
    desc: '为订阅找到的种子已加入下载器',
    title: '{{ subscription }}{% if covers != "" %} {{ covers }}{% endif %} 已推送',
    text: '{{ title }}\n{{ site }}　{{ size_text }}　{{ downloader }}',
    vars: [...subscription, ...torrent],
  },
  'subscription.downloaded': {
    name: '订阅下载完成',
    desc: '为订阅推送的种子已下载完成',
    title: '{{ subscription }}{% if covers != "" %} {{ covers }}{% endif %} 下载完成',
    text: '{{ title }}\n{{ site }}　{{ size_text }}　{{ downloader }}',
    vars: [...subscription, ...torrent],
  },
  'downloader.unreachable': {
    name: '下载器无法连接',
    desc: '连续两次检查都无法读取下载器',
    title: '{{ downloader }} 无法连接',
    text: '{{ reason }}',
    vars: [downloader, reason('无法连接下载器')],
  },
  'disk.low': {
    name: '空间不足',
    desc: '下载器的剩余空间低于设置的下限',
    title: '{{ downloader }} 空间不足',
    text: '剩余 {{ free_text }}，低于下限 {{ limit_text }}，新的推送会被拦下。',
    vars: [
      downloader,
      whole('free', '剩余空间，字节', 3_328_599_654),
      text('free_text', '剩余空间，便于阅读', '3.10 GiB'),
      whole('limit', '下限，字节', 10_737_418_240),
      text('limit_text', '下限，便于阅读', '10.00 GiB'),
    ],
  },
  'media.organised': {
    name: '已整理入库',
    desc: '订阅的种子下载完成，已放入媒体库，或按设置留在原处',
    title: '已入库：{{ media }}{% if part != "" %} {{ part }}{% endif %}',
    text: '{{ title }}\n{{ path }}　{{ size_text }}',
    vars: [...media, text('path', '所在目录', '/media/tv/The Salt Road (2024)/Season 02')],
  },
  'media.failed': {
    name: '整理失败',
    desc: '订阅的种子下载完成，但多次尝试后仍未能放入媒体库',
    title: '整理失败：{{ media }}{% if part != "" %} {{ part }}{% endif %}',
    text: '{{ title }}\n{{ reason }}',
    vars: [...media, reason('下载器拒绝了这个请求')],
  },
  'brush.removed': {
    name: '刷流删种',
    desc: '刷流任务按规则删除了种子和文件',
    title: '{{ task }}：已删除 {{ items.size }} 个种子',
    text: '{% for item in items %}{{ item.title }}　{{ item.reason }}\n{% endfor %}',
    vars: [
      text('task', '刷流任务名称', '免费热种'),
      site,
      {
        key: 'items',
        type: 'list',
        desc: '删除的种子',
        item: [
          text('title', '种子标题', 'The Salt Road S02E06'),
          text('reason', '满足的删除条件', '做种时间已到'),
          whole('uploaded', '已上传，字节', 27_122_781_390),
        ],
        more: [{ title: 'Northern Passage S01', reason: '免费已结束，尚未下载完', uploaded: 0 }],
      },
    ],
  },
  'brush.failed': {
    name: '刷流任务异常',
    desc: '刷流任务连续多次没有正常运行',
    title: '刷流任务 {{ task }} 连续 {{ failures }} 次异常',
    text: '{{ site }}　{{ reason }}',
    vars: [
      text('task', '刷流任务名称', '免费热种'),
      site,
      reason('登录已失效，请更新 Cookie 或密钥'),
      whole('failures', '连续次数', 3),
    ],
  },
  'rss.matched': {
    name: 'RSS 命中',
    desc: '过滤规则在 RSS 中找到了新种子',
    title: '{{ site }}：{{ rule }} 命中 {{ items.size }} 个新种',
    text: '{% for item in items %}{{ item.title }}　{{ item.size_text }}{% if item.free %}　免费{% endif %}\n{% endfor %}推送到 {{ downloader }}',
    vars: [
      site,
      text('rule', '过滤规则名称', '2160p 免费'),
      downloader,
      {
        key: 'items',
        type: 'list',
        desc: '命中的种子',
        item: [
          text('title', '种子标题', 'The Salt Road S02E06'),
          text('size_text', '大小，便于阅读', '8.42 GiB'),
          flag('free', '是否免费', true),
        ],
        more: [{ title: 'Northern Passage S01', size_text: '31.19 GiB', free: false }],
      },
    ],
  },
  'message.sent': {
    name: '脚本消息',
    desc: '脚本或其他程序用访问令牌发来的消息',
    title: '{{ heading }}',
    text: '{{ text }}{% if link != "" %}\n{{ link }}{% endif %}',
    vars: [
      text('heading', '标题', '备份已完成'),
      text('text', '正文', '共 42 个文件'),
      text('link', '链接，没有时为空', 'https://nas.example/backups'),
    ],
  },
} satisfies Partial<Record<TemplateType, EventText>>

const replies = {
  'reply.status': {
    name: '状态',
    desc: '询问服务状态时的回复',
    title: '',
    text: '{{ service }} {{ version }}\n站点 {{ sites }} 个，下载器 {{ downloaders }} 个\n上传 {{ upload_text }}，下载 {{ download_text }}',
    vars: [
      text('version', '版本', '0.1.0'),
      whole('sites', '启用的站点数', 14),
      whole('downloaders', '启用的下载器数', 2),
      text('upload_text', '上传速度', '4.20 MiB/s'),
      text('download_text', '下载速度', '31.70 MiB/s'),
    ],
  },
  'reply.sites': {
    name: '站点列表',
    desc: '询问站点时的回复',
    title: '',
    text: '{% for item in items %}{{ item.site }}　分享率 {{ item.ratio }}　上传 {{ item.uploaded_text }}\n{% else %}还没有站点\n{% endfor %}',
    vars: [
      {
        key: 'items',
        type: 'list',
        desc: '各站点',
        item: [
          site,
          { key: 'ratio', type: 'float', desc: '分享率', sample: 4.31 },
          text('uploaded_text', '上传量，便于阅读', '12.60 TiB'),
        ],
        more: [{ site: 'Northgate', ratio: 2.08, uploaded_text: '3.10 TiB' }],
      },
    ],
  },
  'reply.torrents': {
    name: '种子列表',
    desc: '询问种子时的回复',
    title: '',
    text: '{% for item in items %}{{ item.title }}　{{ item.progress }}%　{{ item.downloader }}\n{% else %}没有符合条件的种子\n{% endfor %}',
    vars: [
      {
        key: 'items',
        type: 'list',
        desc: '各种子',
        item: [
          number(1),
          text('title', '种子标题', 'The Salt Road S02E06'),
          { key: 'progress', type: 'float', desc: '进度，百分比', sample: 42.5 },
          downloader,
        ],
        more: [{ number: 2, title: 'Northern Passage S01', progress: 100, downloader: 'nas-1' }],
      },
      whole('total', '符合条件的总数', 2),
    ],
  },
  'reply.search': {
    name: '搜索结果',
    desc: '在各站点搜索后的回复',
    title: '',
    text: '{% for item in items %}{{ item.number }}. {{ item.title }}\n{{ item.site }}　{{ item.size_text }}　做种 {{ item.seeders }}{% if item.free %}　免费{% endif %}{% if item.has_hr %}　H&R{% endif %}\n{% else %}没有找到“{{ words }}”\n{% endfor %}{% if total > items.size %}共 {{ total }} 个，写得更具体可以找到其余的\n{% endif %}{% if failed > 0 %}{{ failed }} 个站点没有回答{% endif %}',
    vars: [
      text('words', '搜索的文字', 'salt road'),
      whole('total', '结果总数', 2),
      whole('failed', '没有回答的站点数', 0),
      {
        key: 'items',
        type: 'list',
        desc: '结果',
        item: [
          number(1),
          site,
          text('title', '种子标题', 'The Salt Road S02E06'),
          text('size_text', '大小，便于阅读', '8.42 GiB'),
          whole('seeders', '做种数', 31),
          flag('free', '是否免费', true),
          flag('has_hr', '是否有 H&R 考核', false),
        ],
        more: [
          {
            number: 2,
            site: 'Northgate',
            title: 'Northern Passage S01',
            size_text: '31.19 GiB',
            seeders: 4,
            free: false,
            has_hr: true,
          },
        ],
      },
    ],
  },
  'reply.brush': {
    name: '刷流任务列表',
    desc: '询问刷流任务时的回复',
    title: '',
    text: '{% for item in items %}{{ item.number }}. {{ item.task }}　{{ item.site }}　{% if item.enabled %}开，{{ item.active }} 个种子{% else %}关{% endif %}\n{% else %}还没有刷流任务\n{% endfor %}',
    vars: [
      {
        key: 'items',
        type: 'list',
        desc: '各任务',
        item: [
          number(1),
          text('task', '刷流任务名称', '免费热种'),
          site,
          flag('enabled', '是否开启', true),
          whole('active', '正在刷的种子数', 6),
        ],
        more: [{ number: 2, task: '免费热种', site: 'Northgate', enabled: false, active: 0 }],
      },
    ],
  },
  'reply.pushed': {
    name: '推送结果',
    desc: '用按钮推送种子后的回复',
    title: '',
    text: '{% if present %}{{ downloader }} 中已有{% else %}已推送到 {{ downloader }}{% endif %}\n{{ title }}',
    vars: [text('title', '种子标题', 'The Salt Road S02E06'), downloader, flag('present', '下载器中是否已有', false)],
  },
  'reply.changed': {
    name: '操作结果',
    desc: '暂停、恢复种子或开关刷流任务后的回复',
    title: '',
    text: '{{ done }}：{{ title }}',
    vars: [
      text('done', '做了什么：已暂停、已恢复、已开启或已关闭', '已暂停'),
      text('title', '种子标题或任务名称', 'The Salt Road S02E06'),
    ],
  },
  'reply.confirm': {
    name: '等待确认',
    desc: '助手要做的事需要同意时的消息，带有按钮',
    title: '',
    text: '{{ summary }}\n{{ minutes }} 分钟内有效。',
    vars: [
      text('summary', '要做的事', '暂停种子：“The Salt Road S02E06”（nas-1）。'),
      whole('minutes', '多少分钟内有效', 5),
    ],
  },
  'reply.failed': {
    name: '没有做成',
    desc: '指令没有做成时的回复',
    title: '',
    text: '没有做成：{{ reason }}',
    vars: [reason('无法连接下载器')],
  },
  'reply.help': {
    name: '指令说明',
    desc: '询问有哪些指令时的回复',
    title: '',
    text: '{% for item in items %}{{ item.command }}　{{ item.meaning }}\n{% endfor %}{% if assistant %}其他文字交给助手，/new 开始新的对话{% endif %}',
    vars: [
      {
        key: 'items',
        type: 'list',
        desc: '可以使用的指令',
        item: [text('command', '怎样写', '/status'), text('meaning', '做什么', '服务状态')],
        more: [],
      },
      flag('assistant', '其他文字是否交给助手', true),
    ],
  },
  'reply.paired': {
    name: '已配对',
    desc: '会话配对成功后的回复',
    title: '',
    text: '已配对，/help 列出可以使用的指令。',
    vars: [],
  },
  'reply.stranger': {
    name: '未配对的会话',
    desc: '没有配对的会话得到的唯一一句话',
    title: '',
    text: '这个会话没有配对。',
    vars: [],
  },
} satisfies Partial<Record<TemplateType, EventText>>

const assistantNotices = {
  'assistant.stopped': {
    name: '回答已停止',
    desc: '回答被停止时留在对话中的提示',
    title: '',
    text: '已停止。',
    vars: [],
  },
  'assistant.failed': {
    name: '回答失败',
    desc: '回答出错时留在对话中的提示',
    title: '',
    text: '回答失败：{{ reason }}',
    vars: [reason('模型没有在规定时间内回应')],
  },
  'assistant.step_limit': {
    name: '达到步数上限',
    desc: '一次回答用完了允许的步数',
    title: '',
    text: '已达到 {{ steps }} 步的上限，回答到此为止。',
    vars: [whole('steps', '步数上限', 12)],
  },
} satisfies Partial<Record<TemplateType, EventText>>

function inGroup(group: TemplateGroup, events: Partial<Record<TemplateType, EventText>>): TemplateEvent[] {
  return (Object.entries(events) as [TemplateType, EventText][]).map(([type, event]) => ({ type, group, ...event }))
}

export const templateEvents: readonly TemplateEvent[] = [
  ...inGroup('notify', notices),
  ...inGroup('reply', replies),
  ...inGroup('assistant', assistantNotices),
]

const byType = new Map<string, TemplateEvent>(templateEvents.map((event) => [event.type, event]))

/** In the owner's language: what it is called in a message, its built-in text and its samples. */
export function eventIn(event: TemplateEvent, language: OwnerLanguage): TemplateEvent {
  return language === 'zh'
    ? event
    : { ...event, ...englishEvents[event.type], vars: event.vars.map((one) => variableIn(one, language)) }
}

export function variableIn<V extends TemplateVariable>(variable: V, language: OwnerLanguage): V
export function variableIn(variable: TemplateVariable, language: OwnerLanguage): TemplateVariable {
  if (language === 'zh') return variable
  if (variable.type !== 'list') return { ...variable, sample: sampleInEnglish(variable.sample) }
  return {
    ...variable,
    item: variable.item.map((one) => variableIn(one, language)),
    more: variable.more.map((one) =>
      Object.fromEntries(Object.entries(one).map(([key, sample]) => [key, sampleInEnglish(sample)])),
    ),
  }
}

function sampleInEnglish(sample: ScalarValue): ScalarValue {
  return typeof sample === 'string' ? (englishSamples[sample] ?? sample) : sample
}

export function templateEventOf(type: TemplateType): TemplateEvent
export function templateEventOf(type: string): TemplateEvent | undefined
export function templateEventOf(type: string): TemplateEvent | undefined {
  return byType.get(type)
}
