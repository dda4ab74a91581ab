/** Titles come in the metadata provider's languages, whatever the page's own is. */
export function langOf(text: string): string | undefined {
  return /\p{Script=Han}/u.test(text) ? 'zh-CN' : undefined
}
