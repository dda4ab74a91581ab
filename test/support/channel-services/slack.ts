/**
 * As incoming webhooks of Slack answer: path and body of caronc/apprise at cf17bc9e (apprise/plugins/slack.py), words and
 * statuses of its list of errors of incoming webhooks.
 */
import { bodyOf, type StandInService } from './stand-in.ts'

const origin = 'https://hooks.slack.com'
const hook = '/services/T0000000/B0000000'
const token = 'PlantedTokenOfSlack'

export const slack: StandInService = {
  type: 'slack',
  origin,
  values: { address: `${origin}${hook}/${token}` },
  refusals: [
    ['a token that is not known', { address: `${origin}${hook}/another` }, { kind: 'credentials' }],
    ['an app that was removed', { address: `${origin}/services/T0000000/B0000001/${token}` }, { kind: 'not_found' }],
    ['no such path', { address: `${origin}/elsewhere` }, { kind: 'not_found' }],
  ],
  limited: { status: 429, body: 'rate_limited' },
  answer(request) {
    const [, place, secret] = /^(\/services\/T\w+\/B\w+)\/(\w+)$/.exec(request.path) ?? []
    if (place !== hook) return { status: 404, body: 'no_service' }
    if (secret !== token) return { status: 403, body: 'invalid_token' }
    const { text, ...others } = bodyOf(request) ?? {}
    if (typeof text !== 'string' || Object.keys(others).length > 0) return { status: 400, body: 'invalid_payload' }
    if (text === '') return { status: 400, body: 'no_text' }
    // A link or a call that was not meant.
    if (/[<>]|&(?!amp;|lt;|gt;)/.test(text)) return { status: 400, body: 'invalid_payload' }
    return { status: 200, body: 'ok' }
  },
}
