/**
 * The same calls, some of them at once, and the same ends without a word, to the service on each of its runtimes: every
 * answer of the one must be the other's. Identifiers and secrets are made by chance, and times pass: those may differ.
 */
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runtimeKinds } from '../../local/workerd/runtime-kind.ts'
import { startStandInQbittorrent } from '../support/stand-in-downloaders.ts'
import { startStandInServices } from '../support/stand-in-services.ts'
import { type Asked, type Call, type KeptKind, keptKinds } from './kept-kinds.ts'
import { differenceOf } from './same-answers.ts'
import { seededRandom } from './seeded-random.ts'
import { callOf, plainRoutes, WrittenService } from './written-service.ts'

export interface DifferentialOptions {
  /** How many times some calls are asked at once. */
  readonly rounds: number
  readonly seed: number
  readonly folder: string
  readonly log: (line: string) => void
}

export interface DifferentialResult {
  readonly calls: number
  readonly kills: number
  readonly byStatus: Readonly<Record<number, number>>
  readonly differences: readonly string[]
}

const atOnceMax = 4
const killsShare = 0.04
const differencesMax = 20
/** What a search in the background says of a subscription is there sooner on the one than on the other. */
const laterMsMax = 60_000
const askAgainMs = 200

/** One thing, by its identifier on each runtime. */
type Twin = readonly string[]

/** What is asked of each service, in their order, and what becomes of the twins by the answers. */
interface Step {
  readonly name: string
  readonly calls: readonly Call[]
  settle(answers: readonly Asked[]): void
  /** What shows the same later, of a thing that work in the background changes. */
  readonly later?: { readonly place: RegExp; readonly call: Call }
}

export async function runDifferential({ rounds, seed, folder, log }: DifferentialOptions): Promise<DifferentialResult> {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const services = runtimeKinds.map((kind) => new WrittenService(path.join(folder, kind), kind))
  const downloaders = await Promise.all(runtimeKinds.map(() => startStandInQbittorrent('5.2')))
  const outside = await startStandInServices()
  const twins = new Map<KeptKind, Twin[]>(keptKinds.map((kind) => [kind, []]))
  const byStatus: Record<number, number> = {}
  const differences: string[] = []
  let [calls, kills, values] = [0, 0, 0]

  function differs(how: string): void {
    differences.push(how)
    log(how)
  }

  function nextStep(kind: KeptKind): Step {
    const known = twins.get(kind) ?? []
    const twin = pick(known)
    const again = random()
    values += 1
    const value = kind.values === undefined ? `v${values}` : (pick(kind.values) ?? '')
    if (twin === undefined || (known.length < kind.most && again < 0.4)) {
      const settle = (answers: readonly Asked[]) => {
        if (answers.every(({ status }) => status < 300)) known.push(answers.map(({ body }) => kind.idOf(body)))
      }
      return { name: `add to ${kind.name}`, calls: services.map(() => kind.add(value)), settle }
    }
    const { change, remove, list } = kind
    const later = { place: /^(?:\/\d+)?\/message: /, call: ['GET', list] as Call }
    const same = (name: string, call: (id: string) => Call, settle = () => {}): Step => ({
      name: `${name} ${kind.name}`,
      calls: twin.map(call),
      settle,
      ...(kind.name === 'subscriptions' ? { later } : {}),
    })
    if (again < 0.6) return same('list', () => ['GET', list])
    if (again < 0.85 && change !== undefined) return same('change', (id) => change(id, value))
    return same('remove from', remove, () => void known.splice(known.indexOf(twin), 1))
  }

  /** Whether they differ in when alone: asked again, both say the same. */
  async function isOfTime({ later }: Step, difference: string): Promise<boolean> {
    if (later?.place.test(difference) !== true) return false
    const deadline = performance.now() + laterMsMax
    while (performance.now() < deadline) {
      const [left, right] = await Promise.all(services.map((service) => service.ask(...later.call)))
      if (left !== undefined && right !== undefined && differenceOf(left, right) === undefined) return true
      await delay(askAgainMs)
    }
    return false
  }

  function plainStep(): Step {
    const route = pick(plainRoutes)
    if (route === undefined) throw new Error('there are no routes')
    return { name: route.operationId, calls: services.map(() => callOf(route)), settle: () => {} }
  }

  try {
    for (const [at, service] of services.entries()) {
      await service.start()
      downloaders[at]?.fill(20)
      await service.setUp(downloaders[at]?.settings ?? failed('no downloader'), `${outside.origin}/differential`)
    }
    for (let round = 0; round < rounds && differences.length < differencesMax; round += 1) {
      // At once are only calls about different things: of one thing either may come first.
      const kinds = [...keptKinds].sort(() => random() - 0.5).slice(0, 1 + Math.floor(random() * atOnceMax))
      const steps = [...kinds.map(nextStep), ...(random() < 0.5 ? [plainStep()] : [])]
      const asked = await Promise.all(
        steps.map((step) =>
          Promise.all(services.map((service, at) => service.ask(...(step.calls[at] ?? failed('none'))))),
        ),
      )
      for (const [at, step] of steps.entries()) {
        const answers = (asked[at] ?? []).filter((answer) => answer !== undefined)
        const [left, right] = answers
        calls += 1
        if (left === undefined || right === undefined) {
          differs(`round ${round}, ${step.name}: one has not answered`)
          continue
        }
        byStatus[left.status] = (byStatus[left.status] ?? 0) + 1
        const difference = differenceOf(left, right)
        if (difference !== undefined && !(await isOfTime(step, difference)))
          differs(`round ${round}, ${step.name}: ${difference}`)
        step.settle(answers)
      }
      if (random() < killsShare) {
        kills += 1
        await Promise.all(services.map((service) => service.kill()))
        for (const service of services) await service.start()
      }
      if ((round + 1) % 100 === 0) log(`round ${round + 1}: ${calls} calls, ${differences.length} differences`)
    }
  } finally {
    await Promise.all(services.map((service) => service.kill()))
    await Promise.all([...downloaders.map((one) => one.dispose()), outside.stop()])
  }
  return { calls, kills, byStatus, differences }
}

function failed(why: string): never {
  throw new Error(why)
}
