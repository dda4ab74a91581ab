import { failWith, type Result, succeed } from '#shared/kernel/result.ts'

/**
 * The address of a downloader as the owner typed it, brought to `scheme://host[:port][/path]` without a trailing slash.
 * Fails with the reason, in Chinese.
 */
export function parseDownloaderAddress(text: string): Result<string, string> {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  let url: URL
  try {
    url = new URL(withScheme)
  } catch {
    return failWith('地址不完整或写法不对，应类似 http://192.168.1.2:8080')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return failWith('地址只能以 http:// 或 https:// 开头')
  if (url.username !== '' || url.password !== '') return failWith('地址中不要写用户名和密码，请填在各自的栏中')
  if (url.search !== '' || url.hash !== '') return failWith('地址中不要带 ? 或 # 之后的内容')
  return succeed(`${url.origin}${url.pathname.replace(/\/+$/, '')}`)
}
