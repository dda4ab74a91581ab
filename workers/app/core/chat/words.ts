/** What buttons and commands are called, in the owner's language. Whole answers are templates. */
import type { ChatCommand, OwnerLanguage } from '../vocabulary.ts'

interface ChatWords {
  readonly push: (number: number) => string
  readonly pause: (number: number) => string
  readonly resume: (number: number) => string
  readonly switchOn: (number: number) => string
  readonly switchOff: (number: number) => string
  readonly confirm: string
  readonly reject: string
  readonly done: Readonly<Record<'pause' | 'resume' | 'on' | 'off', string>>
  readonly confirmed: string
  readonly rejected: string
  readonly newTalk: string
  readonly meanings: Readonly<Record<Exclude<ChatCommand, 'push' | 'assistant'> | 'resume', string>>
}

export const chatWords: Readonly<Record<OwnerLanguage, ChatWords>> = {
  zh: {
    push: (number) => `推送 ${number}`,
    pause: (number) => `暂停 ${number}`,
    resume: (number) => `恢复 ${number}`,
    switchOn: (number) => `开启 ${number}`,
    switchOff: (number) => `关闭 ${number}`,
    confirm: '同意',
    reject: '拒绝',
    done: { pause: '已暂停', resume: '已恢复', on: '已开启', off: '已关闭' },
    confirmed: '已同意',
    rejected: '已拒绝',
    newTalk: '下一条消息开始新的对话。',
    meanings: {
      status: '服务状态',
      sites: '各站点的分享率和上传量',
      torrents: '种子，后面可以写要找的文字',
      search: '在各站点搜索后面的文字',
      pause: '暂停标题含有后面文字的种子',
      resume: '恢复标题含有后面文字的种子',
      brush: '刷流任务，用按钮开关',
    },
  },
  en: {
    push: (number) => `Push ${number}`,
    pause: (number) => `Pause ${number}`,
    resume: (number) => `Resume ${number}`,
    switchOn: (number) => `Switch on ${number}`,
    switchOff: (number) => `Switch off ${number}`,
    confirm: 'Confirm',
    reject: 'Reject',
    done: { pause: 'Paused', resume: 'Resumed', on: 'Switched on', off: 'Switched off' },
    confirmed: 'Confirmed',
    rejected: 'Rejected',
    newTalk: 'The next message begins another conversation.',
    meanings: {
      status: 'how the service is',
      sites: 'ratio and upload of each site',
      torrents: 'torrents, those with the words after it',
      search: 'looks for the words after it on all sites',
      pause: 'pauses torrents with the words after it',
      resume: 'resumes torrents with the words after it',
      brush: 'brush tasks, switched by buttons',
    },
  },
}
