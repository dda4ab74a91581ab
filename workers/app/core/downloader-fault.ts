/** Why a downloader could not be read or changed. Closed, so that no text of the outside reaches a caller. */
export type DownloaderFault =
  | { readonly kind: 'credentials' }
  | { readonly kind: 'banned' }
  | { readonly kind: 'host_refused' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'certificate' }
  | { readonly kind: 'not_this_kind' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'secrets'; readonly state: 'missing' | 'changed' }
  | { readonly kind: 'interrupted' }

const programNames = { qbittorrent: 'qBittorrent', transmission: 'Transmission' } as const

/** The reason as the interface shows it: Chinese, without host, address, port, user name or query. */
export function describeFault(fault: DownloaderFault, kind: keyof typeof programNames): string {
  switch (fault.kind) {
    case 'credentials':
      return '用户名或密码错误'
    case 'banned':
      return '下载器拒绝了来自本服务的访问：地址不在允许名单中，或因多次登录失败被暂时封禁'
    case 'host_refused':
      return '下载器不接受这个主机名的访问，请检查它的主机名白名单'
    case 'unreachable':
      return '无法连接下载器'
    case 'timeout':
      return '下载器响应超时'
    case 'certificate':
      return '无法建立加密连接：下载器的 HTTPS 证书不受信任，或主机名无法解析'
    case 'not_this_kind':
      return `该地址上的程序不像 ${programNames[kind]}，请检查类型和地址`
    case 'too_large':
      return '下载器返回的数据过大'
    case 'rejected':
      return '下载器拒绝了这个请求'
    case 'status':
      return `下载器返回了意外的 HTTP 状态 ${fault.status}`
    case 'secrets':
      return fault.state === 'missing'
        ? '主密钥丢失，无法读取已保存的密码'
        : '主密钥已更换，无法读取已保存的密码，请重新填写'
    case 'interrupted':
      return '与下载器的连接被中断，请重试'
  }
}
