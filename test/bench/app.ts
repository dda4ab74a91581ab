/** `npm run bench -- app`: the App API under load, beside what it saves its clients from doing. */

import { startWorker } from '../support/worker-under-test.ts'
import { benchTorrents } from './app-torrents.ts'
import { generateLoad, printLoad, residentMebibytes } from './load.ts'

const seconds = 5

const worker = await startWorker()
console.log(`memory of the process tree, idle: ${describeMemory()}`)
for (const connections of [1, 16]) {
  const load = await generateLoad({
    url: `${worker.address}/api/app/v1/meta`,
    connections,
    seconds,
    headers: worker.tokenHeaders,
  })
  console.log(printLoad(`/meta over ${connections} connections`, load))
}
console.log(`memory of the process tree after load: ${describeMemory()}`)
await worker.close()

for (const torrents of [5000, 20_000]) {
  await benchTorrents({ torrents, seconds, connections: 1, log: console.log, describeMemory })
}

function describeMemory(): string {
  const { total, byName } = residentMebibytes(process.pid)
  const parts = Object.entries(byName).map(([name, mebibytes]) => `${name} ${Math.round(mebibytes)}`)
  return `${Math.round(total)} MiB (${parts.join(', ')})`
}
