/**
 * `npm run bench -- app`: time to ready, the App API under load beside what it saves its clients from doing, and the
 * memory of the whole process tree.
 */
import { ownerOf, startWharf, temporaryFolder } from '../support/running-wharf.ts'
import { benchTorrents } from './app-torrents.ts'
import { generateLoad, printLoad, residentMebibytes } from './load.ts'

const seconds = 5
/** A revoked token may be accepted for a second; the look itself takes some time. */
const revocationPollMs = 10

const folder = temporaryFolder()
const first = await timedStart()
await first.wharf.stop()
const { wharf, readyMs } = await timedStart()
console.log(`ready after ${first.readyMs} ms on a first start, ${readyMs} ms on a second`)

const owner = await ownerOf(wharf)
const made = await wharf.request('POST', '/api/console/v1/tokens', owner, {
  name: 'bench',
  scopes: ['app:read'],
  lifetime: 'never',
})
const headers = { authorization: `Bearer ${made.body.text}` }
console.log(`memory of the process tree, idle: ${describeMemory(wharf.pid)}`)
for (const connections of [1, 16]) {
  const load = await generateLoad({ url: `${wharf.origin}/api/app/v1/meta`, connections, seconds, headers })
  console.log(printLoad(`/meta over ${connections} connections`, load))
}
console.log(`memory of the process tree after load: ${describeMemory(wharf.pid)}`)

const revokedMs = performance.now()
await wharf.request('DELETE', `/api/console/v1/tokens/${made.body.token.id}`, owner)
while ((await wharf.request('GET', '/api/app/v1/meta', headers)).status !== 401) {
  await new Promise((resolve) => setTimeout(resolve, revocationPollMs))
}
console.log(`a revoked token in use was refused after ${Math.round(performance.now() - revokedMs)} ms`)
await wharf.stop()
folder.remove()

for (const torrents of [5000, 20_000]) {
  await benchTorrents({ torrents, seconds, connections: 1, log: console.log, describeMemory })
}

async function timedStart() {
  const startedMs = performance.now()
  const started = await startWharf(folder.path)
  return { wharf: started, readyMs: Math.round(performance.now() - startedMs) }
}

function describeMemory(pid: number): string {
  const { total, byName } = residentMebibytes(pid)
  const parts = Object.entries(byName).map(([name, mebibytes]) => `${name} ${Math.round(mebibytes)}`)
  return `${Math.round(total)} MiB (${parts.join(', ')})`
}
