/** What the model is told instead of a result, in the owner's language: it answers from these words. */
import type { OwnerLanguage } from '../vocabulary.ts'

const inChinese = {
  canceled: '回答已停止，没有执行。',
  interrupted: '服务重新启动，没有执行。',
  denied: '用户拒绝了这个操作，没有执行。',
  expired: '没有及时得到确认，操作没有执行。',
  unknown: '操作开始后服务重新启动，结果未知，没有重复执行。请核对实际状态。',
  underWay: '停止时操作已经开始，无法撤回，结果见操作记录。',
  steps: '已达到步数上限，没有执行。',
  brokenArguments: '参数不是 JSON 对象。',
  tooManyPending: '等待确认的操作过多，没有执行。请先等用户处理。',
  noAudit: '操作记录暂时无法写入，操作没有执行。',
  changed: '保存的参数与确认时不符，操作没有执行。',
  crashed: '操作出错，结果未知，没有重复执行。请核对实际状态。',
}

export type ToolAnswers = Readonly<Record<keyof typeof inChinese, string>>

const inEnglish: ToolAnswers = {
  canceled: 'The answer was stopped; nothing was done.',
  interrupted: 'The service was restarted; nothing was done.',
  denied: 'The user refused this action; nothing was done.',
  expired: 'Nobody confirmed this action in time; nothing was done.',
  unknown:
    'The service was restarted after the action had begun; what came of it is not known, and it was not repeated. Check how things stand.',
  underWay:
    'The action had begun when the answer was stopped and cannot be taken back; the audit log has what came of it.',
  steps: 'The limit of steps is reached; nothing was done.',
  brokenArguments: 'The arguments are no JSON object.',
  tooManyPending: 'Too many actions wait for a confirmation; nothing was done. Wait until the user has decided.',
  noAudit: 'The audit log cannot be written at the moment; nothing was done.',
  changed: 'The stored arguments are not those that were confirmed; nothing was done.',
  crashed: 'The action failed; what came of it is not known, and it was not repeated. Check how things stand.',
}

export const toolAnswers: Readonly<Record<OwnerLanguage, ToolAnswers>> = { zh: inChinese, en: inEnglish }
