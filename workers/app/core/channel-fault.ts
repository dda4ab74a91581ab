/** Why a channel did not take a message. Closed, so that no text of the outside reaches a page or a log. */
export type ChannelFault =
  | { readonly kind: 'credentials' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'rate_limited' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'certificate' }
  | { readonly kind: 'redirected' }
  | { readonly kind: 'not_a_bot' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'secrets'; readonly state: 'missing' | 'changed' }

/** Chinese, without address and secret. */
export function describeChannelFault(fault: ChannelFault): string {
  switch (fault.kind) {
    case 'credentials':
      return '对方不接受令牌或密钥'
    case 'rejected':
      return '对方不接受这条消息，请检查会话编号和接收格式'
    case 'not_found':
      return '该地址上没有接收方，请检查地址和令牌'
    case 'rate_limited':
      return '对方限制了发送频率'
    case 'unreachable':
      return '无法连接接收方'
    case 'timeout':
      return '接收方响应超时'
    case 'certificate':
      return '无法建立加密连接：接收方的 HTTPS 证书不受信任，或主机名无法解析'
    case 'redirected':
      return '接收方把请求转到了别的地址，请填写最终的地址'
    case 'not_a_bot':
      return '该地址的应答不像机器人接口，请检查地址'
    case 'too_large':
      return '接收方返回的数据过大'
    case 'status':
      return `接收方返回了意外的 HTTP 状态 ${fault.status}`
    case 'secrets':
      return fault.state === 'missing'
        ? '主密钥丢失，无法读取已保存的地址和令牌'
        : '主密钥已更换，无法读取已保存的地址和令牌，请重新填写'
  }
}

/** One that comes back with the message, whatever the hour. */
export function isRefusal(fault: ChannelFault): boolean {
  return fault.kind === 'rejected' || fault.kind === 'too_large'
}
