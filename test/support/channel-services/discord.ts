/**
 * As webhooks of Discord answer: path and body of caronc/apprise at cf17bc9e (apprise/plugins/discord.py), bound and codes of
 * its documented errors (10015, 50006, 50027, 50035).
 */
import { bodyOf, json, type StandInService } from './stand-in.ts'

const hook = '/api/webhooks/1120000000000000001'
const token = 'PlantedTokenOfDiscord-0_1'
const origin = 'https://discord.com'

export const discord: StandInService = {
  type: 'discord',
  origin,
  values: { address: `${origin}${hook}/${token}` },
  refusals: [
    ['a token that is not known', { address: `${origin}${hook}/another` }, { kind: 'credentials' }],
    ['a webhook that was deleted', { address: `${origin}/api/webhooks/2/${token}` }, { kind: 'not_found' }],
    ['no such path', { address: `${origin}/api/elsewhere` }, { kind: 'not_found' }],
  ],
  limited: json(429, { message: 'You are being rate limited.', retry_after: 0.4, global: false }),
  lengthen: (body) => ({ ...body, content: 'x'.repeat(2001) }),
  answer(request) {
    const { pathname, searchParams } = new URL(request.path, origin)
    const [, place, secret] = /^(\/api\/webhooks\/\d+)\/([\w-]+)$/.exec(pathname) ?? []
    if (place === undefined) return json(404, { message: '404: Not Found', code: 0 })
    if (place !== hook) return json(404, { message: 'Unknown Webhook', code: 10015 })
    if (secret !== token) return json(401, { message: 'Invalid Webhook Token', code: 50027 })
    const { content, allowed_mentions, ...others } = bodyOf(request) ?? {}
    if (content === '' || content === undefined)
      return json(400, { message: 'Cannot send an empty message', code: 50006 })
    const mentions = (allowed_mentions as { parse?: unknown } | undefined)?.parse
    if (
      typeof content !== 'string' ||
      content.length > 2000 ||
      !Array.isArray(mentions) ||
      Object.keys(others).length > 0
    )
      return json(400, { message: 'Invalid Form Body', code: 50035 })
    if (searchParams.get('wait') !== 'true') return { status: 204, body: '' }
    return json(200, { id: '1430000000000000001', channel_id: '1120000000000000002', type: 0, content })
  },
}
