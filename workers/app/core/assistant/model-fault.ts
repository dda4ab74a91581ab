/** How asking a model goes wrong, and how that is said. */
export type ModelFault =
  /** Switched off, or without a model, while it was needed. */
  | { readonly kind: 'disabled' }
  | { readonly kind: 'secrets'; readonly state: 'missing' | 'changed' }
  | { readonly kind: 'no_gateway' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout' }
  /** `detail` is what the service said, redacted. */
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string }
  /** No stream of chat completions, or one that is broken. */
  | { readonly kind: 'not_chat' }
  | { readonly kind: 'too_large' }
  /** It ended in its middle. */
  | { readonly kind: 'cut' }
  /** The service said so within its stream. */
  | { readonly kind: 'failed'; readonly detail: string }
  | { readonly kind: 'filtered' }
  /** We stopped asking. */
  | { readonly kind: 'stopped' }

/** Fit for everybody who may read the conversation: nothing that the service said. */
export function describeModelFault(fault: ModelFault): string {
  switch (fault.kind) {
    case 'disabled':
      return '助手已停用'
    case 'secrets':
      return fault.state === 'missing' ? '主密钥丢失，无法读取模型的密钥' : '主密钥已更换，无法读取模型的密钥'
    case 'no_gateway':
      return '本机的模型网关没有可用的密钥'
    case 'unreachable':
      return '无法连接模型服务'
    case 'timeout':
      return '模型服务没有及时回答'
    case 'refused':
      return describeStatus(fault.status)
    case 'not_chat':
      return '模型服务的回答不是对话接口的格式'
    case 'too_large':
      return '模型服务的回答过大'
    case 'cut':
      return '模型服务的回答中途断开'
    case 'failed':
      return '模型服务在回答中报告了错误'
    case 'filtered':
      return '模型拒绝回答这个问题'
    case 'stopped':
      return '已停止'
  }
}

function describeStatus(status: number): string {
  if (status === 401 || status === 403) return '模型服务拒绝了密钥'
  if (status === 404) return '模型服务没有这个地址或模型'
  if (status === 429) return '模型服务正忙或额度已用完'
  if (status >= 500) return `模型服务出错（${status}）`
  if (status >= 300 && status < 400) return '模型服务要求转到别的地址'
  return `模型服务不接受这个请求（${status}）`
}

/** For the owner, who set the service up: with what it said. */
export function explainModelFault(fault: ModelFault): string {
  const said = describeModelFault(fault)
  const detail = 'detail' in fault ? fault.detail : ''
  return detail === '' ? said : `${said}：${detail}`
}
