/** What the owner's settled asks tell the model when the tool that asked is gone. */
import type { Refusal } from './refusal.ts'
import type { PermissionRequest, QuestionRequest } from './session/event.ts'
import type { PermissionReply } from './vocabulary.ts'

export function describeAnswers(request: QuestionRequest, answers: readonly (readonly string[])[]): string {
  return request.questions
    .map((item, index) => {
      const answer = answers[index] ?? []
      return `${item.question}\n${answer.length === 0 ? '(no answer)' : answer.join(', ')}`
    })
    .join('\n\n')
}

export function describeLateAnswers(request: QuestionRequest, answers: readonly (readonly string[])[]): string {
  return `The server restarted while these questions were open. They have been answered since:\n\n${describeAnswers(request, answers)}`
}

export function describeLatePermission(
  request: PermissionRequest,
  reply: PermissionReply,
  message: string | undefined,
): string {
  const what = `${request.action}: ${request.resources.join(', ')}`
  const note = message === undefined || message === '' ? '' : `\n${message}`
  return reply === 'reject'
    ? `The server restarted while permission was being asked for (${what}). It has been refused since; nothing was run.${note}`
    : `The server restarted while permission was being asked for (${what}). It has been granted since; nothing was run yet.${note}`
}

/** What is wrong with answers to these questions, or undefined. */
export function checkAnswers(request: QuestionRequest, answers: readonly (readonly string[])[]): Refusal | undefined {
  if (answers.length !== request.questions.length) return { kind: 'answers', count: request.questions.length }
  for (const [index, item] of request.questions.entries()) {
    const answer = answers[index] ?? []
    if (answer.length > 1 && item.multiple !== true) return { kind: 'answer_one', question: index + 1 }
    const labels = item.options.map((option) => option.label)
    const unknown = item.custom === false ? answer.find((text) => !labels.includes(text)) : undefined
    if (unknown !== undefined) return { kind: 'answer_offered', question: index + 1 }
  }
  return undefined
}
