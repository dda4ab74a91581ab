/** Why a template is not right. Closed, so that a page can say it in its own language. */
export type TemplateProblem =
  | { readonly kind: 'not_closed' }
  | { readonly kind: 'unknown_tag'; readonly name: string }
  | { readonly kind: 'unknown_filter'; readonly name: string; readonly near?: string }
  | { readonly kind: 'unknown_variable'; readonly name: string; readonly near?: string }
  | { readonly kind: 'list_as_text' }
  | { readonly kind: 'tag_too_long' }
  | { readonly kind: 'text_too_long' }
  | { readonly kind: 'output_too_long' }
  | { readonly kind: 'too_much_work' }
  | { readonly kind: 'syntax' }

export interface TemplateFault {
  readonly part: 'title' | 'text'
  /** From 1. */
  readonly line: number
  readonly problem: TemplateProblem
}

const partNames = { title: '标题', text: '正文' } as const

/** Chinese, with the line. */
export function describeTemplateFault({ part, line, problem }: TemplateFault): string {
  return `${partNames[part]}第 ${line} 行：${describeProblem(problem)}`
}

function describeProblem(problem: TemplateProblem): string {
  switch (problem.kind) {
    case 'not_closed':
      return '标签没有结束'
    case 'unknown_tag':
      return `没有标签 ${problem.name}`
    case 'unknown_filter':
      return `没有过滤器 ${problem.name}${suggestion(problem.near)}`
    case 'unknown_variable':
      return `没有变量 ${problem.name}${suggestion(problem.near)}`
    case 'list_as_text':
      return '列表不能直接输出，请用 for 逐项输出'
    case 'tag_too_long':
      return '这个标签过长'
    case 'text_too_long':
      return '模板过长'
    case 'output_too_long':
      return '生成的内容过长'
    case 'too_much_work':
      return '模板的计算量过大'
    case 'syntax':
      return '写法不正确'
  }
}

function suggestion(near: string | undefined): string {
  return near === undefined ? '' : `，是否想写 ${near}`
}
