/** After `npm run build`: `node test/support/take-agent-pictures.ts [folder]` draws the agent's pictures of docs/pictures. */
import path from 'node:path'
import { startTestServer } from './agent-server.ts'
import { launchChromium, openPage } from './chromium.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.resolve(process.argv[2] ?? path.join(root, 'docs/pictures'))
const server = await startTestServer({
  pagesFolder: path.join(root, 'dist/web/agent'),
  config: { permission: { bash: { '*': 'ask', 'node *': 'allow' } } },
})
const lease = `export async function claimNext(store, worker, now) {
  const [job] = await store.listDue(now, 1)
  if (job === undefined) return undefined
  const lease = makeLease(job, worker, addSeconds(now, LEASE_SECONDS))
  await store.put(job.id, lease)
  return lease
}
`
await server.write('src/queue/lease.js', lease)
await server.write(
  'src/queue/store.js',
  'export function createStore(db) {\n  return { put: (id, lease) => db.run(id, lease) }\n}\n',
)
const edit = (id: string, file: string, oldString: string, newString: string) => ({
  id,
  name: 'edit',
  input: { path: file, oldString, newString },
})
server.model.script(
  {
    reasoning: ['Two reads before one write: both workers see the job as due.'],
    calls: [
      { id: 'call_1', name: 'read', input: { path: 'src/queue/lease.js' } },
      { id: 'call_2', name: 'read', input: { path: 'src/queue/store.js' } },
      { id: 'call_3', name: 'grep', input: { pattern: 'store\\.put', path: 'src' } },
    ],
  },
  {
    text: [
      'The claim reads a due job and then writes the lease without checking that nobody else wrote first. I will replace `put` with `compareAndSet` on the job’s version, and give the job up when the write loses.',
    ],
    calls: [
      edit(
        'call_4',
        'src/queue/lease.js',
        '  await store.put(job.id, lease)\n  return lease',
        '  const won = await store.compareAndSet(job.id, job.version, lease)\n  return won ? lease : undefined',
      ),
      edit(
        'call_5',
        'src/queue/store.js',
        '  return { put: (id, lease) => db.run(id, lease) }',
        '  return {\n    put: (id, lease) => db.run(id, lease),\n    compareAndSet: (id, version, lease) => db.runIf(id, version, lease),\n  }',
      ),
      {
        id: 'call_6',
        name: 'todowrite',
        input: {
          todos: [
            { content: 'Make claiming atomic', status: 'completed' },
            { content: 'Prove it with two workers', status: 'in_progress' },
            { content: 'Say so in the changelog', status: 'pending' },
          ],
        },
      },
    ],
    usage: { prompt: 18_400, completion: 900, cached: 9_000 },
  },
  {
    calls: [{ id: 'call_7', name: 'bash', input: { command: 'npm test -- queue', network: ['registry.example.net'] } }],
    usage: { prompt: 21_000, completion: 120, cached: 18_000 },
  },
)
const browser = await launchChromium()
try {
  const created = await server.send('POST', '/api/session', { agent: 'build' })
  const session: string = created.body.data.id
  await server.prompt(session, 'Two workers sometimes run the same job. Make claiming atomic and prove it.')
  for (const [name, options] of [
    ['session', { viewport: { width: 1440, height: 900 } }],
    ['session-phone-dark', { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, colorScheme: 'dark' }],
  ] as const) {
    const { page, context } = await openPage(browser, options)
    await page.goto(`${server.address}/#/s/${session}`)
    await page.getByText('Run a command?').waitFor()
    if (name === 'session') await page.locator('.work .dif').first().waitFor()
    await page.screenshot({ path: path.join(folder, `agent-${name}.png`) })
    await context.close()
  }
} finally {
  await browser.close()
  await server.close()
}
