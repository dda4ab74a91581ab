/**
 * As a PushDeer server answers: easychen/pushdeer at c706d83e (api/app/Http/Controllers/PushDeerMessageController.php, its
 * Helpers.php, Exceptions/Handler.php and Http/Kernel.php, which trims texts, and takes sixty messages a minute).
 */
import { bodyOf, json, type StandInService } from './stand-in.ts'

/** What is wrong with a request is said with the status of success. */
function refuse(error: string) {
  return json(200, { code: 80501, error })
}

export const pushdeer: StandInService = {
  type: 'pushdeer',
  origin: 'https://api2.pushdeer.com',
  values: { server: 'https://api2.pushdeer.com', key: 'PDUPlantedKeyOfPushDeer' },
  refusals: [
    ['a key that is not known', { key: 'PDUAnotherKey' }, { kind: 'credentials' }],
    ['the key of an account that was stopped', { key: 'PDUStoppedKey' }, { kind: 'rejected' }],
    ['no such path', { server: 'https://api2.pushdeer.com/elsewhere' }, { kind: 'not_found' }],
  ],
  limited: { status: 429, body: '<html>Too Many Requests</html>' },
  answer(request) {
    if (request.path !== '/message/push') return { status: 404, body: '<html>Not Found</html>' }
    const { pushkey, text, desp, type, ...others } = bodyOf(request) ?? {}
    for (const [name, value] of Object.entries({ pushkey, text }))
      if (typeof value !== 'string' || value.trim() === '') return refuse(`The ${name} field is required.`)
    for (const [name, value] of Object.entries({ desp, type }))
      if (value !== undefined && typeof value !== 'string') return refuse(`The ${name} must be a string.`)
    if (Object.keys(others).length > 0 || (type !== undefined && !['markdown', 'text', 'image'].includes(String(type))))
      return refuse('nothing of that is documented')
    if (pushkey === 'PDUStoppedKey') return refuse('此账号已被停用')
    if (pushkey !== 'PDUPlantedKeyOfPushDeer') return { status: 500, body: '<html>Server Error</html>' }
    return json(200, { code: 0, content: { result: ['{"counts":1,"logs":[],"success":"ok"}'] } })
  },
}
