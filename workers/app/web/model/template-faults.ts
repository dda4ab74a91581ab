/**
 * What the server says of a template that is not right, recognised, so that a page can say it in its own language and put
 * it where it belongs. The server's sentences are a closed list; a test holds this one against it.
 */
const sentences = {
  not_closed: '标签没有结束',
  unknown_tag: '没有标签 (\\S*)',
  unknown_filter: '没有过滤器 (\\S*?)(?:，是否想写 (\\S+))?',
  unknown_variable: '没有变量 (\\S*?)(?:，是否想写 (\\S+))?',
  list_as_text: '列表不能直接输出，请用 for 逐项输出',
  tag_too_long: '这个标签过长',
  text_too_long: '模板过长',
  output_too_long: '生成的内容过长',
  too_much_work: '模板的计算量过大',
  syntax: '写法不正确',
} as const

export type TemplateFaultName = keyof typeof sentences

const patterns = (Object.entries(sentences) as [TemplateFaultName, string][]).map(
  ([name, sentence]) => [name, new RegExp(`^(标题|正文)第 ([0-9]+) 行：${sentence}$`, 'u')] as const,
)

export interface KnownTemplateFault {
  readonly fault: TemplateFaultName
  readonly part: 'title' | 'text'
  /** From 1. */
  readonly line: number
  /** What it names, and what was probably meant. */
  readonly name: string
  readonly near: string | undefined
}

export function templateFaultOf(message: string): KnownTemplateFault | undefined {
  for (const [fault, pattern] of patterns) {
    const found = pattern.exec(message)
    if (found === null) continue
    const [, part, line, name = '', near] = found
    return { fault, part: part === '标题' ? 'title' : 'text', line: Number(line), name, near }
  }
  return undefined
}

/** The text with what was meant in place of what was written, in the line of the fault. */
export function mended(text: string, { line, name, near }: KnownTemplateFault): string {
  if (near === undefined || name === '') return text
  const lines = text.split('\n')
  return lines.map((one, at) => (at === line - 1 ? one.replaceAll(name, near) : one)).join('\n')
}
