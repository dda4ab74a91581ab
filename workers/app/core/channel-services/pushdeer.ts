/** A server that hands messages to one person's phones, with an app or without; anybody may run one. */
import { statusFault } from '../channel-fault.ts'
import { cutTo } from '../redact.ts'
import { saidIn } from './message-text.ts'
import { type ChannelService, serverAt } from './service.ts'

/** It sets no bound; a phone shows no more of a title. */
const titleCharactersMax = 250

export const pushdeer = {
  type: 'pushdeer',
  name: { en: 'PushDeer', zh: 'PushDeer' },
  fields: [
    serverAt('https://api2.pushdeer.com'),
    {
      name: 'key',
      label: { en: 'Key', zh: 'Key' },
      hint: { en: 'It begins with PDU', zh: '以 PDU 开头' },
      shape: 'token',
      secret: true,
      charactersMax: 128,
    },
  ],
  call({ server = '', key = '' }, { title, text }) {
    // It takes no message without a first line, which is all that a notification shows.
    const head = cutTo(title === '' ? text : title, titleCharactersMax)
    return {
      address: `${server}/message/push`,
      json: { pushkey: key, text: head, desp: text === head ? '' : text, type: 'markdown' },
    }
  },
  faultIn({ status, text }) {
    const { code, content } = saidIn(text)
    // It stumbles over a key that it does not know.
    if (status === 500) return { kind: 'credentials' }
    if (typeof code === 'number' && code !== 0) return { kind: 'rejected' }
    return statusFault(status) ?? (code === 0 && typeof content === 'object' ? undefined : { kind: 'foreign' })
  },
} as const satisfies ChannelService
