/** What a page makes of a reason beside its sentence. */
import type { Reason, ReasonKind, ReasonOf } from '../../core/reason/reason.ts'

/** What the reader is to know where the page itself says what failed: the sign-in, the download, the field. */
export function heartOf(reason: Reason): Reason {
  switch (reason.kind) {
    case 'sign_in.failed':
    case 'push.download':
      return heartOf(reason.reason)
    case 'field.wrong':
      return reason.rule === undefined || reason.rule.kind.startsWith('rule.') ? reason : heartOf(reason.rule)
    default:
      return reason
  }
}

const inForm: ReadonlySet<ReasonKind> = new Set([
  'site.login_expired',
  'site.sign_in_refused',
  'site.no_credentials',
  'site.redirected',
  'site.certificate',
  'site.secrets',
  'site.proxy_unreachable',
  'site.proxy_refused',
  'site.proxy_unsupported',
])

/** Whether the form of the site mends it. */
export function isMendedInForm(reason: Reason | undefined): boolean {
  return reason !== undefined && inForm.has(heartOf(reason).kind)
}

/** Each on its own. */
export function eachOf(reason: Reason): readonly Reason[] {
  return reason.kind === 'each' ? reason.reasons : [reason]
}

export function isSame(one: Reason | undefined, other: Reason | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

export type TemplateReason = ReasonOf<Extract<ReasonKind, `template.${string}`>>

export function templateReasonOf(reason: Reason | undefined): TemplateReason | undefined {
  return reason?.kind.startsWith('template.') === true ? (reason as TemplateReason) : undefined
}

/** What is probably meant; undefined where nobody knows. */
export function meantBy(fault: TemplateReason): string | undefined {
  return 'near' in fault ? fault.near : undefined
}

/** The text with what was meant in place of what was written, in the line of the fault. */
export function mended(text: string, fault: TemplateReason): string {
  const near = meantBy(fault)
  if (near === undefined || !('name' in fault) || fault.name === '') return text
  const { name, line } = fault
  const lines = text.split('\n')
  return lines.map((one, at) => (at === line - 1 ? one.replaceAll(name, near) : one)).join('\n')
}

/** The field of a form that the server does not accept, as the server calls it. */
export function refusedField(reason: Reason): string | undefined {
  switch (reason.kind) {
    case 'field.wrong':
    case 'field.missing':
    case 'field.wrong_type':
      return reason.field
    default:
      return undefined
  }
}
