import { knownFaults } from './known-sentences.ts'

/**
 * What the server says of a downloader, recognised, so that a page can say it in its own language. The server's sentences
 * are a closed list; a test holds this one against it. A sentence that is not here is shown as it is.
 */
const sentences = {
  credentials: '用户名或密码错误',
  banned: '下载器拒绝了来自本服务的访问：地址不在允许名单中，或因多次登录失败被暂时封禁',
  host_refused: '下载器不接受这个主机名的访问，请检查它的主机名白名单',
  unreachable: '无法连接下载器',
  timeout: '下载器响应超时',
  certificate: '无法建立加密连接：下载器的 HTTPS 证书不受信任，或主机名无法解析',
  not_this_kind: '该地址上的程序不像 (qBittorrent|Transmission)，请检查类型和地址',
  too_large: '下载器返回的数据过大',
  rejected: '下载器拒绝了这个请求',
  status: '下载器返回了意外的 HTTP 状态 ([0-9]{3})',
  secrets: '主密钥(?:丢失，无法读取已保存的密码|已更换，无法读取已保存的密码，请重新填写)',
  interrupted: '与下载器的连接被中断，请重试',
} as const

export type DownloaderFaultName = keyof typeof sentences

/** One for each downloader the message is about; undefined when any part of it is not of the list. */
export const downloaderFaultsOf = knownFaults(sentences, 'downloader')
