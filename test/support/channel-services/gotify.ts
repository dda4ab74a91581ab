/** As Gotify 3.0 takes messages (gotify/server at d543a8a: api/message.go, auth/authentication.go, error/handler.go). */
import { bodyOf, json, type StandInService } from './stand-in.ts'

function refuse(errorCode: number, error: string, errorDescription: string) {
  return json(errorCode, { error, errorCode, errorDescription })
}

export const gotify: StandInService = {
  type: 'gotify',
  origin: 'https://gotify.example',
  values: { server: 'https://gotify.example', token: 'APlantedTokenOfGotify' },
  refusals: [
    ['a token that is not known', { token: 'AnotherToken' }, { kind: 'credentials' }],
    ['the token of a client', { token: 'CTokenOfAClient' }, { kind: 'credentials' }],
    ['no such path', { server: 'https://gotify.example/elsewhere' }, { kind: 'not_found' }],
  ],
  answer(request) {
    if (request.path !== '/message') return refuse(404, 'Not Found', 'page not found')
    const key = request.headers['x-gotify-key']
    if (key !== 'APlantedTokenOfGotify')
      return refuse(401, 'Unauthorized', 'you need to provide a valid access token or user credentials')
    const body = bodyOf(request)
    const { title = '', message, ...others } = body ?? {}
    if (body === undefined || Object.keys(others).length > 0) return refuse(400, 'Bad Request', 'invalid character')
    if (typeof message !== 'string' || message === '') return refuse(400, 'Bad Request', "Field 'message' is required")
    return json(200, { id: 25, appid: 5, message, title, priority: 0, date: '2026-11-26T00:00:00Z' })
  },
}
