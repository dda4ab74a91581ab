/** The events as an owner who reads English has them: their names, built-in texts and the samples that have words. */
import type { TemplateType } from './vocabulary.ts'

export interface EventWords {
  readonly name: string
  readonly title: string
  readonly text: string
}

export const englishEvents: Readonly<Record<TemplateType, EventWords>> = {
  'attendance.summary': {
    name: 'Sign-ins of the day',
    title: 'Sign-in: {{ done }} done{% if failed > 0 %}, {{ failed }} failed{% endif %}',
    text: '{% for item in items %}{{ item.site }}: {{ item.status_text }}{% if item.message != "" %} – {{ item.message }}{% endif %}\n{% endfor %}',
  },
  'attendance.failed': {
    name: 'Sign-in failed',
    title: '{{ site }}: sign-in failed',
    text: '{{ reason }}\nAttempts: {{ attempts }}. It is not signed in again today.',
  },
  'login.reminder': {
    name: 'Login reminder',
    title:
      '{{ site }} needs a login{% if days_remaining >= 0 %}, {{ days_remaining }} {% if days_remaining == 1 %}day{% else %}days{% endif %} left{% endif %}',
    text: '{% if days_remaining < 0 %}The account has been away for longer than the site allows.{% else %}Days until the site’s limit for inactive accounts: {{ days_remaining }}.{% endif %}\n{% if urgent %}The account may be banned at any time: log in now.{% else %}Log in once before then.{% endif %}',
  },
  'site.failed': {
    name: 'Site trouble',
    title: '{{ site }} {% if expired %}no longer accepts the login{% else %}cannot be read{% endif %}',
    text: '{{ reason }}',
  },
  'push.done': {
    name: 'Pushed',
    title: 'Pushed to {{ downloader }}',
    text: '{{ title }}\n{{ site }}  {{ size_text }}',
  },
  'push.stopped': {
    name: 'Not pushed',
    title: 'Not pushed: {{ reason }}',
    text: '{{ title }}\n{{ site }}  {{ size_text }}  {{ downloader }}',
  },
  'push.completed': {
    name: 'Download complete',
    title: 'Download complete',
    text: '{{ title }}\n{{ site }}  {{ size_text }}  {{ downloader }}',
  },
  'push.free_ending': {
    name: 'Free period ends',
    title: 'Free period: {{ title }}',
    text: '{{ reason }}\n{{ site }}  {{ size_text }}  {{ downloader }}',
  },
  'subscription.pushed': {
    name: 'Pushed for a subscription',
    title: '{{ subscription }}{% if covers != "" %} {{ covers }}{% endif %} pushed',
    text: '{{ title }}\n{{ site }}  {{ size_text }}  {{ downloader }}',
  },
  'subscription.downloaded': {
    name: 'Subscription downloaded',
    title: '{{ subscription }}{% if covers != "" %} {{ covers }}{% endif %} downloaded',
    text: '{{ title }}\n{{ site }}  {{ size_text }}  {{ downloader }}',
  },
  'downloader.unreachable': {
    name: 'Downloader unreachable',
    title: '{{ downloader }} is unreachable',
    text: '{{ reason }}',
  },
  'disk.low': {
    name: 'Low disk space',
    title: '{{ downloader }} is low on space',
    text: '{{ free_text }} free, below the limit of {{ limit_text }}: new pushes are held back.',
  },
  'media.organised': {
    name: 'Added to the library',
    title: 'In the library: {{ media }}{% if part != "" %} {{ part }}{% endif %}',
    text: '{{ title }}\n{{ path }}  {{ size_text }}',
  },
  'media.failed': {
    name: 'Not added to the library',
    title: 'Not added to the library: {{ media }}{% if part != "" %} {{ part }}{% endif %}',
    text: '{{ title }}\n{{ reason }}',
  },
  'brush.removed': {
    name: 'Removed by a brush task',
    title: '{{ task }}: torrents removed: {{ items.size }}',
    text: '{% for item in items %}{{ item.title }}: {{ item.reason }}\n{% endfor %}',
  },
  'brush.failed': {
    name: 'Brush task trouble',
    title: 'Brush task {{ task }} failed {{ failures }} times in a row',
    text: '{{ site }}: {{ reason }}',
  },
  'rss.matched': {
    name: 'Found in a feed',
    title: '{{ site }}: {{ rule }} matched new torrents: {{ items.size }}',
    text: '{% for item in items %}{{ item.title }}  {{ item.size_text }}{% if item.free %}  free{% endif %}\n{% endfor %}Pushed to {{ downloader }}',
  },
  'message.sent': {
    name: 'Message from a script',
    title: '{{ heading }}',
    text: '{{ text }}{% if link != "" %}\n{{ link }}{% endif %}',
  },
  'reply.status': {
    name: 'Status',
    title: '',
    text: '{{ service }} {{ version }}\nSites: {{ sites }}, downloaders: {{ downloaders }}\nUp {{ upload_text }}, down {{ download_text }}',
  },
  'reply.sites': {
    name: 'Sites',
    title: '',
    text: '{% for item in items %}{{ item.site }}  ratio {{ item.ratio }}  uploaded {{ item.uploaded_text }}\n{% else %}No sites yet\n{% endfor %}',
  },
  'reply.torrents': {
    name: 'Torrents',
    title: '',
    text: '{% for item in items %}{{ item.title }}  {{ item.progress }}%  {{ item.downloader }}\n{% else %}No such torrents\n{% endfor %}',
  },
  'reply.search': {
    name: 'Search results',
    title: '',
    text: '{% for item in items %}{{ item.number }}. {{ item.title }}\n{{ item.site }}  {{ item.size_text }}  seeders {{ item.seeders }}{% if item.free %}  free{% endif %}{% if item.has_hr %}  H&R{% endif %}\n{% else %}Nothing found for “{{ words }}”\n{% endfor %}{% if total > items.size %}{{ total }} in all: more words find the others\n{% endif %}{% if failed > 0 %}Sites that did not answer: {{ failed }}{% endif %}',
  },
  'reply.brush': {
    name: 'Brush tasks',
    title: '',
    text: '{% for item in items %}{{ item.number }}. {{ item.task }}  {{ item.site }}  {% if item.enabled %}on, torrents: {{ item.active }}{% else %}off{% endif %}\n{% else %}No brush tasks yet\n{% endfor %}',
  },
  'reply.pushed': {
    name: 'Pushed by a button',
    title: '',
    text: '{% if present %}{{ downloader }} has it already{% else %}Pushed to {{ downloader }}{% endif %}\n{{ title }}',
  },
  'reply.changed': { name: 'Done', title: '', text: '{{ done }}: {{ title }}' },
  'reply.confirm': {
    name: 'To be confirmed',
    title: '',
    text: '{{ summary }}\nGood for {{ minutes }} {% if minutes == 1 %}minute{% else %}minutes{% endif %}.',
  },
  'reply.failed': { name: 'Not done', title: '', text: 'Not done: {{ reason }}' },
  'reply.help': {
    name: 'Commands',
    title: '',
    text: '{% for item in items %}{{ item.command }}  {{ item.meaning }}\n{% endfor %}{% if assistant %}Any other text goes to the assistant; /new begins another conversation{% endif %}',
  },
  'reply.paired': { name: 'Paired', title: '', text: 'Paired. /help lists the commands.' },
  'reply.stranger': { name: 'Not paired', title: '', text: 'This chat is not paired.' },
  'assistant.stopped': { name: 'Answer stopped', title: '', text: 'Stopped.' },
  'assistant.failed': { name: 'Answer failed', title: '', text: 'The answer failed: {{ reason }}' },
  'assistant.step_limit': {
    name: 'Out of steps',
    title: '',
    text: 'The limit of {{ steps }} steps is reached; the answer ends here.',
  },
}

/** By the sample that a reader of Chinese sees. */
export const englishSamples: Readonly<Record<string, string>> = {
  下载完成: 'Download complete',
  '盐路 第 2 季': 'The Salt Road, season 2',
  '第 6 集': 'episode 6',
  盐路: 'The Salt Road',
  剧集: 'Series',
  签到成功: 'signed in',
  签到失败: 'sign-in failed',
  '获得 20 魔力值': '20 bonus points',
  '登录已失效，请更新 Cookie 或密钥': 'The login has expired: renew the cookie or key',
  下载器剩余空间不足: 'Not enough space on the downloader',
  '免费结束前无法下载完，未暂停': 'Cannot be complete before the free period ends; not paused',
  无法连接下载器: 'The downloader cannot be reached',
  下载器拒绝了这个请求: 'The downloader refused the request',
  免费热种: 'Free and popular',
  做种时间已到: 'Seeded for long enough',
  '免费已结束，尚未下载完': 'No longer free, and not complete',
  '2160p 免费': '2160p free',
  已暂停: 'Paused',
  服务状态: 'the state of the service',
  '暂停种子：“The Salt Road S02E06”（nas-1）。': 'Pause the torrent: “The Salt Road S02E06” (nas-1).',
  备份已完成: 'The backup is done',
  '共 42 个文件': '42 files',
  模型没有在规定时间内回应: 'The model did not answer in time',
}
