/** What the server says of faults in English, by their kinds. Words of other programs stay as they are, in quotes. */
import type { WireToolServer } from '../../contract/tool-server.ts'
import type { StepFacts } from '../../core/session/message.ts'
import type { FailureCode, StepFaultKind, ToolServerFaultKind } from '../../core/vocabulary.ts'
import { grouped } from '../model/amounts.ts'

type ToolServerFacts = NonNullable<WireToolServer['fault']>

const withWords = (sentence: string, said: string | undefined) =>
  said === undefined ? `${sentence}。` : `${sentence}：“${said}”`

export const toolServerFaults: Readonly<Record<ToolServerFaultKind, (facts: ToolServerFacts) => string>> = {
  asks_sign_in: () => '工具服务器要求登录：请在此页面登录，或在其 "headers" 中填写令牌。',
  asks_more: () => '工具服务器要求的权限多于已授予的：请在此页面重新登录，或在其 "headers" 中填写令牌。',
  credentials: ({ status = 0 }) => `工具服务器拒绝了凭据（${status}）；请检查其 "headers"。`,
  status: ({ status = 0 }) => `工具服务器以状态 ${status} 应答。`,
  unreachable: () => '无法连接到工具服务器。',
  late: () => '工具服务器太久没有应答。',
  ended: () => '工具服务器已退出。',
  page: () => '工具服务器在等它的网页被打开。',
  refused: ({ said }) => withWords('工具服务器出错了', said),
  message_too_long: () => '工具服务器发来的消息过长。',
  not_started: () => '无法启动这个程序。',
  input_closed: () => '这个程序关闭了自己的输入。',
  other: ({ said }) => withWords('它出错了', said),
}

export const stepFaults: Readonly<Record<StepFaultKind, (facts: StepFacts) => string>> = {
  no_model: () => '这个会话没有配置模型。',
  no_variant: ({ model = '', variant = '', known = [] }) =>
    `模型 ${model} 没有变体 ${JSON.stringify(variant)}${known.length === 0 ? '，也没有任何变体' : `；它有：${known.join('、')}`}。`,
  configuration: ({ said }) => withWords('配置有误', said),
  unreachable: () => '无法连接到提供方。',
  credentials: ({ status = 0, said }) => withWords(`提供方拒绝了凭据（${status}）`, said),
  unknown_model: ({ said }) => withWords('提供方不认识这个模型或地址（404）', said),
  slow_down: ({ said }) => withWords('提供方要求放慢（429）', said),
  status: ({ status = 0, said }) => withWords(`提供方以状态 ${status} 应答`, said),
  cut: () => '与提供方的连接在回答中途断开了。',
  broke_off: ({ said }) => withWords('提供方中断了回答', said),
  quiet: () => '提供方太久没有发来任何内容。',
  no_answer: () => '提供方没有回答就结束了。',
  answer_too_long: ({ bytes = 0 }) => `回答超过 ${grouped(bytes)} 字节，在此截断。`,
}

/** Of a prompt that was to begin by itself. */
export const scheduleFaults: Partial<Readonly<Record<FailureCode, string>>> = {
  invalid_request: '它指定的文件夹或智能体不再可用。',
  not_found: '它的会话已不存在。',
  conflict: '它的会话不再接受提示，或等待的提示已太多。',
  backend_unavailable: '缺少所需的组件，或配置有误。',
  filesystem_error: '有文件无法读取或写入。',
  database_error: '存储无法读取或写入。',
}
