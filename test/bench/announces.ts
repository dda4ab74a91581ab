/**
 * `npm run bench -- announces`: from a line in a real channel to a torrent that runs in a real downloader, with a site that
 * answers after 100 ms.
 */
import { startAnnounceWorld } from '../support/announce-world.ts'
import { until } from '../support/daemon-process.ts'
import { requireReal } from '../support/real-parts.ts'
import { median } from './load.ts'

const announces = 15
const siteMs = 100
const wantedMs = 500
const lookMs = 10
const runsMs = 20_000

const parts = {
  ngircd: requireReal('ngircd'),
  openssl: requireReal('openssl'),
  qbittorrent: requireReal('qbittorrent-nox'),
}
for (const { isMissing, skipNote } of Object.values(parts)) {
  if (!isMissing) continue
  console.log(skipNote)
  process.exit(0)
}
/** Looked at more often than a test does: what is between two looks would count as ours. */
async function ranAt(name: string): Promise<number> {
  const untilMs = performance.now() + runsMs
  while (performance.now() < untilMs) {
    if ((await world.running()).includes(name)) return performance.now()
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  throw new Error(`${name} did not run within ${runsMs} ms`)
}

const world = await startAnnounceWorld({
  ngircd: parts.ngircd.path,
  openssl: parts.openssl.path,
  qbittorrent: parts.qbittorrent.path,
})
try {
  world.site.delayMs = siteMs
  const target = { downloader_id: 0, category: '', tags: [], save_path: '' }
  const conditions = [{ field: 'title', op: 'like', value: ['harbour.lights.*'] }]
  await world.worker.console('POST', '/rules', {
    name: 'all',
    enabled: true,
    rule: { action: 'take', conditions, target },
  })
  await world.join()
  await until('the channel to be heard', async () => {
    await world.say(300)
    return (await world.items()).length > 0 ? true : undefined
  })
  const took: number[] = []
  for (let id = 301; id <= 300 + announces; id += 1) {
    const from = performance.now()
    await world.say(id)
    took.push((await ranAt(`main.${id}.bin`)) - from)
  }
  const p50 = median(took)
  console.log(
    `announce to running  p50 ${p50.toFixed(0)} ms, worst ${Math.max(...took).toFixed(0)} ms of ${announces} (wanted ${wantedMs})`,
  )
  if (p50 > wantedMs) process.exitCode = 1
} finally {
  await world.dispose()
}
