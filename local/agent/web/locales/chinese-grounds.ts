import { grouped } from '../model/amounts.ts'
import type { grounds as english } from './english-grounds.ts'

const counted = (value: number, unit: string): string => `${grouped(value)} ${unit}`

export const grounds: typeof english = {
  files: {
    changed: '与上次提交不同',
    all: '全部文件',
    cut: '还有更多，未列出。',
    difference: '与上次提交的差异',
    noRepository: '此文件夹不在仓库中，无法得知有何不同。',
    holdsChange: '其中有更改',
    choose: '选择一个文件阅读。',
    noText: '不是文本。',
    tooLong: '其余部分未显示。',
  },
  catalog: {
    models: '模型',
    agents: '智能体',
    commands: '命令',
    skills: '技能',
    references: '可查阅的文件夹',
    columns: {
      name: '模型',
      takes: '接受',
      context: '上下文',
      output: '回答',
      price: '每百万 token 美元：发送 / 回答',
    },
    kinds: { image: '图片', pdf: 'PDF', audio: '声音', video: '视频' },
    noTools: '不能用工具',
    noPrice: '没有已知的价格',
    inShort: (context, price) =>
      `上下文 ${context}，${price === undefined ? '没有已知的价格' : `每百万 token 发送 / 回答 ${price}`}`,
    modes: { primary: '用于会话', subagent: '用于子任务', all: '两者皆可' },
    noModels: '还没有可用的模型。',
    noModelsBody: '请在配置中写明提供方及其密钥。',
  },
  memory: {
    rules: '项目规则',
    noRules: '项目中没有规则文件，例如 AGENTS.md。',
    notes: '记住的内容',
    noNotes: '还没有会话为以后的会话留下笔记。',
    from: '来自的会话',
    forget: '忘记',
    forgetNamed: (text) => `忘记：${text}`,
  },
  cleanup: {
    olderThan: '未改动的时间',
    days: (days) => (days === 0 ? '不限' : counted(days, '天')),
    where: '范围',
    thisProject: '本项目',
    allProjects: '所有项目',
    sessions: '会话',
    spared: (count) => `另有 ${grouped(count)} 个保留`,
    stored: '存储中',
    rows: (count) => counted(count, '行'),
    kinds: { tool_output: '日志', snapshot_store: '较早的文件', work_tree: '工作副本' },
    parts: (count) => counted(count, '份'),
    nothing: '没有这么久以前的会话。',
    more: (count) => `还有 ${grouped(count)} 个`,
    archive: '归档…',
    delete: '删除…',
    confirm: {
      archive: (count) => `归档 ${grouped(count)} 个会话？`,
      delete: (count) => `彻底删除 ${grouped(count)} 个会话？`,
    },
    meaning: {
      archive: '会话保持完整，再次提示即可恢复。',
      delete: '消息、子任务、日志和工作副本会一起删除。项目中的文件保持不变。',
    },
    now: { archive: '归档', delete: '删除' },
    notes: {
      more: (most) => `这么久以前的会话超过 ${grouped(most)} 个：其余的要再清理一次。`,
      left: (path) => `无法移除 ${path}；下次启动时会再试。`,
    },
    done: {
      archive: (count) => `已归档 ${grouped(count)} 个会话。`,
      delete: (count) => `已删除 ${grouped(count)} 个会话。`,
    },
  },
}
