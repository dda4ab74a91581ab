/**
 * What requests cost of what the edge bounds: processor time and statements to the database. Counted in this process, on
 * the runtime that runs the same script; docs/edge.md says what follows.
 */
import path from 'node:path'
import { D1 } from '../../local/runtime/d1.ts'
import { startWorkerHost } from '../../local/workerd/worker-host.ts'
import { unwrap } from '../support/unwrap.ts'

interface Cost {
  readonly cpuMs: number
  readonly statements: number
}

const password = 'harbour lanterns at four'
const repeats = 10
const readsShown = ['/meta', '/overview', '/torrents', '/sites', '/downloaders']

export async function measureEdgeCosts(
  folder: string,
  log: (line: string) => void,
): Promise<Readonly<Record<string, Cost>>> {
  let statements = 0
  const { run } = D1.prototype
  D1.prototype.run = function (...args) {
    statements += args[0].length
    return run.apply(this, args)
  }
  const host = unwrap(
    await startWorkerHost({
      dataFolder: folder,
      port: 0,
      extraHosts: [],
      publicOrigins: [],
      trustedProxies: [],
      isNewSetupLinkAsked: false,
      isNewMasterKeyAsked: false,
      configFile: path.resolve('wrangler.toml'),
      variables: {},
      log: () => undefined,
    }),
  )
  const { address, setupLink } = host
  const costs: Record<string, Cost> = {}
  const headers: Record<string, string> = { origin: address, 'content-type': 'application/json' }
  const post = (name: string, body: object) =>
    fetch(`${address}/api/console/v1/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const measure = async (name: string, ask: () => Promise<Response>) => {
    await (await ask()).arrayBuffer()
    const [before, cpu] = [statements, process.cpuUsage()]
    for (let at = 0; at < repeats; at += 1) {
      const answer = await ask()
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
    }
    const { user, system } = process.cpuUsage(cpu)
    costs[name] = {
      cpuMs: Math.round((user + system) / 100 / repeats) / 10,
      statements: (statements - before) / repeats,
    }
    log(`${name}: ${costs[name].cpuMs} ms, ${costs[name].statements} statements`)
  }
  try {
    const setUp = await post('setup', { code: setupLink?.split('code=')[1], password })
    headers['cookie'] = setUp.headers.get('set-cookie')?.split(';')[0] ?? ''
    for (const name of readsShown)
      await measure(`GET ${name}`, () => fetch(`${address}/api/app/v1${name}`, { headers }))
    await measure('signing in', () => post('sign-in', { password }))
    return costs
  } finally {
    D1.prototype.run = run
    await host.close()
  }
}
