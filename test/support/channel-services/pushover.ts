/**
 * As the message interface of Pushover answers: path and fields of caronc/apprise at cf17bc9e (apprise/plugins/pushover.py)
 * and of its own page, version 1; answers that were recorded in public.
 */
import { bodyOf, json, type StandInService } from './stand-in.ts'

const request = '5c4487c0-a61a-497e-9205-3441a99471b0'

function refuse(field: string, error: string) {
  return json(400, { [field]: 'invalid', errors: [error], status: 0, request })
}

export const pushover: StandInService = {
  type: 'pushover',
  origin: 'https://api.pushover.net',
  values: {
    server: 'https://api.pushover.net',
    token: 'aPlantedTokenOfPushover0000000',
    user: 'uPlantedKeyOfPushover000000000',
    device: 'pocket',
  },
  refusals: [
    ['a token that is not known', { token: 'aAnotherToken' }, { kind: 'credentials' }],
    ['a user that is not known', { user: 'uAnotherUser' }, { kind: 'credentials' }],
    ['a device that is not known', { device: 'desk' }, { kind: 'rejected' }],
    ['no such path', { server: 'https://api.pushover.net/elsewhere' }, { kind: 'not_found' }],
  ],
  limited: json(429, { errors: ['application has exceeded its monthly message quota'], status: 0, request }),
  lengthen: (body) => ({ ...body, message: 'x'.repeat(1025) }),
  answer(asked) {
    if (asked.path !== '/1/messages.json') return { status: 404, body: '' }
    const { token, user, title = '', message, device, ...others } = bodyOf(asked) ?? {}
    if (token !== 'aPlantedTokenOfPushover0000000')
      return refuse('token', 'application token is invalid, see https://pushover.net/api')
    if (user !== 'uPlantedKeyOfPushover000000000')
      return refuse('user', 'user identifier is not a valid user, group, or subscribed user key')
    if (device !== undefined && device !== 'pocket') return refuse('device', 'device is not valid for this user')
    if (typeof message !== 'string' || message === '') return refuse('message', 'message cannot be blank')
    if (typeof title !== 'string' || [...title].length > 250) return refuse('title', 'title is too long')
    if ([...message].length > 1024 || Object.keys(others).length > 0) return refuse('message', 'message is too long')
    return json(200, { status: 1, request })
  },
}
