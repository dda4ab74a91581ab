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
