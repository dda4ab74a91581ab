/** The service is found by a name of the network itself; packets stay on this machine's loopback interface. */
import { once } from 'node:events'
import multicastDns from 'multicast-dns'
import { onTestFinished, test } from 'vitest'
import { answerForName } from '../../../local/workerd/local-name.ts'
import { phoneCode } from '../../../local/workerd/phone-code.ts'
import { readCode } from '../../support/read-code.ts'

const interfaceOf = '127.0.0.1'
/** Of its own for each run, so that neither another run nor a real responder of this machine takes part. */
const port = 20_000 + (process.pid % 20_000)

function asker() {
  const end = multicastDns({ interface: interfaceOf, bind: '0.0.0.0', port })
  const heard: { name: string; type: string; data: unknown; ttl: number }[] = []
  end.on('response', ({ answers = [] }) => {
    for (const one of answers)
      if (one.type === 'A' || one.type === 'AAAA')
        heard.push({ name: one.name, type: one.type, data: one.data, ttl: one.ttl ?? 0 })
  })
  onTestFinished(() => new Promise<void>((resolve) => end.destroy(() => resolve())))
  return { end, heard }
}

function named(name: string, log: (line: string) => void = () => undefined) {
  return answerForName({ name, addresses: [interfaceOf, '2001:db8::7'], log, port })
}

test('a name is answered with the addresses asked for, in whatever case, and given up at the end', async ({
  expect,
}) => {
  const { end, heard } = asker()
  await once(end, 'ready')
  const name = named('quay')
  // It tells itself at its start.
  await expect.poll(() => heard.length).toBe(2)
  heard.length = 0
  end.query([{ name: 'Quay.LOCAL', type: 'A' }])
  await expect.poll(() => heard).toEqual([{ name: 'quay.local', type: 'A', data: interfaceOf, ttl: 120 }])
  heard.length = 0
  end.query([{ name: 'quay.local', type: 'AAAA' }])
  await expect.poll(() => heard).toEqual([{ name: 'quay.local', type: 'AAAA', data: '2001:db8::7', ttl: 120 }])
  heard.length = 0
  end.query([
    { name: 'other.local', type: 'A' },
    { name: 'quay.local', type: 'TXT' },
    { name: 'x.quay.local', type: 'A' },
  ])
  await name.close()
  // What comes next is the farewell: nothing of the last question was answered.
  await expect.poll(() => heard.map(({ ttl }) => ttl)).toEqual([0, 0])
})

test('who asks from another port is answered alone, for a short while', async ({ expect }) => {
  const name = named('pier')
  const alone = multicastDns({ interface: interfaceOf, bind: '0.0.0.0', port: port + 1, ip: '224.0.0.251' })
  onTestFinished(() => new Promise<void>((resolve) => alone.destroy(() => resolve())))
  await once(alone, 'ready')
  const answered = once(alone, 'response')
  const question = { id: 77, questions: [{ name: 'pier.local', type: 'A' as const }] }
  alone.query(question, { address: '224.0.0.251', port })
  const [answer] = await answered
  expect(answer).toMatchObject({
    id: 77,
    questions: [{ name: 'pier.local', type: 'A' }],
    answers: [{ name: 'pier.local', type: 'A', data: interfaceOf, ttl: 10 }],
  })
  await name.close()
})

test('a name that another machine has is left to it, and that is said', async ({ expect }) => {
  const { end, heard } = asker()
  await once(end, 'ready')
  end.on('query', ({ questions = [] }) => {
    if (questions.some((one) => one.name === 'berth.local'))
      end.respond([{ name: 'berth.local', type: 'A', ttl: 120, data: '192.0.2.9' }])
  })
  const said: string[] = []
  const name = named('berth', (line) => said.push(line))
  await expect.poll(() => said).toEqual([expect.stringContaining('berth.local is another machine’s name (192.0.2.9)')])
  heard.length = 0
  await name.close()
  expect(heard.filter(({ data }) => data === interfaceOf)).toEqual([])
})

test('a terminal shows an address as a code that a camera reads', async ({ expect }) => {
  const address = 'http://192.168.1.10:8787/'
  const lines = await phoneCode(address)
  // A block is light above and below, a half of one where it stands, a space dark.
  const isLight = (x: number, y: number) => {
    const sign = lines[Math.floor(y / 2)]?.[x] ?? '█'
    return sign === '█' || sign === (y % 2 === 0 ? '▀' : '▄')
  }
  expect(readCode(lines[0]?.length ?? 0, (x, y) => !isLight(x, y))).toBe(address)
})
