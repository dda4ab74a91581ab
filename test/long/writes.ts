/**
 * Asks every writing route of the App API, and the console for what an owner sets up, from several clients at once; kills
 * the service at a random moment, starts it again, and compares: what was acknowledged is there, what was not asked for is
 * not, what had no answer is there whole or not at all, and every call that may change something is in the audit log.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startStandInQbittorrent } from '../support/stand-in-downloaders.ts'
import { startStandInServices } from '../support/stand-in-services.ts'
import { Held, keptKinds } from './kept-kinds.ts'
import { seededRandom } from './seeded-random.ts'
import { callOf, plainRoutes, WrittenService } from './written-service.ts'

export interface WritesOptions {
  readonly rounds: number
  readonly seed: number
  readonly dataFolder: string
  readonly log: (line: string) => void
}

export interface WritesResult {
  readonly rounds: number
  /** Calls with an answer, by status. */
  readonly answers: Readonly<Record<number, number>>
  /** Writing routes that were asked. */
  readonly routes: number
  /** Calls that the crash left without an answer. */
  readonly unanswered: number
  readonly faults: readonly string[]
  readonly restartMsMedian: number
  readonly restartMsMax: number
}

/** Of answers: how many come in a moment differs by machine. */
const killAfterMax = 80
const askersOfAll = 2
const faultsMax = 50

export async function runWrites({ rounds, seed, dataFolder, log }: WritesOptions): Promise<WritesResult> {
  const random = seededRandom(seed)
  const downloader = await startStandInQbittorrent('5.2')
  const services = await startStandInServices()
  const world = new WrittenService(dataFolder)
  const held = keptKinds.map((kind) => new Held(kind, random))
  const restartsMs: number[] = []
  const faults: string[] = []
  try {
    await world.start()
    downloader.fill(60)
    await world.setUp(downloader.settings, `${services.origin}/writes`)
    for (const one of held) await one.begin(world)
    for (let round = 0; round < rounds && faults.length < faultsMax; round += 1) {
      const writing = { isOn: true }
      const askers = [
        ...held.map((one) => one.write(world, writing)),
        ...Array.from({ length: askersOfAll }, () => askAll(world, writing, random)),
      ]
      await world.answered(Math.ceil(random() * killAfterMax))
      // Not when an answer has just come: somewhere within the next ones.
      await delay(random() * 5)
      await world.kill()
      writing.isOn = false
      const said = (await Promise.all(askers)).flat()
      restartsMs.push(await world.start())
      said.push(...world.lostFromAudit())
      for (const one of held) said.push(...(await one.compare(world)))
      for (const fault of said.map((one) => `round ${round}: ${one}`)) {
        faults.push(fault)
        log(fault)
      }
      if ((round + 1) % 50 === 0) log(`round ${round + 1}: ${JSON.stringify(world.answers)}, ${faults.length} faults`)
    }
  } finally {
    await world.kill()
    await Promise.all([downloader.dispose(), services.stop()])
  }
  restartsMs.sort((left, right) => left - right)
  return {
    rounds: restartsMs.length,
    answers: world.answers,
    routes: world.asked.size,
    unanswered: world.unanswered,
    faults,
    restartMsMedian: Math.round(restartsMs[Math.floor(restartsMs.length / 2)] ?? 0),
    restartMsMax: Math.round(restartsMs.at(-1) ?? 0),
  }
}

/** Each route in an order of chance, again and again. What it acts on may be gone: then it says so. */
async function askAll(
  world: WrittenService,
  writing: { readonly isOn: boolean },
  random: () => number,
): Promise<string[]> {
  const faults: string[] = []
  while (writing.isOn) {
    const route = plainRoutes[Math.floor(random() * plainRoutes.length)]
    if (route === undefined) break
    const answer = await world.ask(...callOf(route))
    if (answer === undefined) break
    if (answer.status === 500) faults.push(`${route.operationId} was answered 500`)
  }
  return faults
}
