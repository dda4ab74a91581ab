/** The long runs by name. Each prints its figures and says whether what must hold did hold. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { quickFolder } from '../support/memory-folder.ts'
import { runAgentCrashLoop } from './agent-crash.ts'
import { runAgentSoak } from './agent-soak.ts'
import { runAgentTasks } from './agent-tasks.ts'
import { runCrashLoop } from './crash.ts'
import { runDifferential } from './differential.ts'
import { measureEdgeCosts } from './edge-costs.ts'
import { runEdits } from './edits.ts'
import { runFuzz, runGatewayFuzz, runPageFuzz, runViewerFuzz, runYear } from './fuzz.ts'
import { runGatewayClients } from './gateway-clients.ts'
import { gatewayWindowSeconds, runGatewaySoak } from './gateway-soak.ts'
import { runInstalls } from './installs.ts'
import { runSoak, windowSeconds } from './soak.ts'
import { runWrites } from './writes.ts'

export interface LongRunOptions {
  /** Undefined: the run's own default. */
  readonly rounds: number | undefined
  readonly seed: number
  readonly log: (line: string) => void
}

export interface LongRun {
  readonly name: string
  readonly about: string
  /** Resolves with whether everything held. */
  run(options: LongRunOptions): Promise<boolean>
}

const crashRounds = 500
const writeRounds = 2_000
const differentialRounds = 1_000
const agentWorks = 40
const fuzzRequests = 20_000
const mutatedPages = 200_000
const gatewayFuzzRequests = 50_000
const soakMinutes = 15
const agentSoakSeconds = 60
const viewerFuzzScale = 100
const editRounds = 200
/** Of one request to the edge, by its published limits. */
const statementsOfPaidPlan = 1000

export const longRuns: readonly LongRun[] = [
  {
    name: 'crash',
    about: 'kills host and runtime while rows are written, and counts what is left',
    async run({ rounds, seed, log }) {
      const dataFolder = await realpath(await mkdtemp(path.join(quickFolder(), 'wharf-crash-')))
      const result = await runCrashLoop({ rounds: rounds ?? crashRounds, seed, dataFolder, log })
      log(JSON.stringify(result))
      return result.lost.length + result.doubled.length + result.wrongRuntimeCounts.length === 0
    },
  },
  {
    name: 'writes',
    about: 'kills the service while clients ask every writing route, and compares what is left with what was promised',
    async run({ rounds, seed, log }) {
      const folder = await realpath(await mkdtemp(path.join(quickFolder(), 'wharf-writes-')))
      try {
        const result = await runWrites({ rounds: rounds ?? writeRounds, seed, dataFolder: folder, log })
        log(JSON.stringify(result))
        return result.faults.length === 0
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  },
  {
    name: 'differential',
    about: 'asks the service on both of its runtimes the same, ends both the same, and compares their answers',
    async run({ rounds, seed, log }) {
      const folder = await realpath(await mkdtemp(path.join(quickFolder(), 'wharf-differential-')))
      try {
        const result = await runDifferential({ rounds: rounds ?? differentialRounds, seed, folder, log })
        log(JSON.stringify(result))
        return result.differences.length === 0
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  },
  {
    name: 'edge-costs',
    about: 'processor time and statements of what the edge would be asked, for docs/edge.md',
    async run({ log }) {
      const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'wharf-edge-costs-')))
      try {
        const costs = await measureEdgeCosts(folder, log)
        // Past this a paid plan refuses as well.
        return Object.values(costs).every(({ statements }) => statements <= statementsOfPaidPlan)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  },
  {
    name: 'installs',
    about: 'builds a release and installs it in each way from nothing; needs root and some Debian packages',
    async run({ log }) {
      const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'wharf-installs-')))
      try {
        return (await runInstalls({ folder, log })).length === 0
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  },
  {
    name: 'agent-crash',
    about: 'kills the agent server while clients prompt, follow and answer, and checks its logs',
    async run({ rounds, seed, log }) {
      const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'wharf-agent-crash-')))
      const result = await runAgentCrashLoop({ rounds: rounds ?? crashRounds, seed, folder, log })
      log(JSON.stringify(result))
      return result.faults.length === 0
    },
  },
  {
    name: 'tasks',
    about: 'works in small repositories of eight languages, by models that behave as families do; rounds are works',
    async run({ rounds, log }) {
      const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'wharf-agent-tasks-')))
      try {
        const result = await runAgentTasks(rounds ?? agentWorks, folder, log)
        log(JSON.stringify(result))
        return result.faults.length === 0
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  },
  {
    name: 'agent-soak',
    about: 'many followers of busy agent sessions, some of which stall; rounds are seconds',
    async run({ rounds, log }) {
      const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'wharf-agent-soak-')))
      const result = await runAgentSoak({ seconds: rounds ?? agentSoakSeconds, folder, log })
      log(JSON.stringify(result))
      return result.faults.length === 0
    },
  },
  {
    name: 'fuzz',
    about: 'random torrent files, pages and requests to every route of the App API; rounds are how many of each',
    run: ({ rounds, seed, log }) => runFuzz({ requests: rounds ?? fuzzRequests, seed, log }),
  },
  {
    name: 'pages',
    about: 'pages and definitions of sites with something wrong in them; rounds are pages',
    run: ({ rounds, seed, log }) => runPageFuzz(rounds ?? mutatedPages, seed, log),
  },
  {
    name: 'year',
    about: '40 feeds and 60,000 items over a year of simulated time, killed at any statement',
    run: ({ seed, log }) => runYear(seed, log),
  },
  {
    name: 'viewer-fuzz',
    about: 'damaged sources, damaged indexes and random requests; rounds are how many times as many as usual',
    run: ({ rounds, seed, log }) => runViewerFuzz(rounds ?? viewerFuzzScale, seed, log),
  },
  {
    name: 'edits',
    about: 'random edits of a library, each synced and compared with a full build; rounds are edits',
    run: ({ rounds, seed, log }) => runEdits(rounds ?? editRounds, seed, log),
  },
  {
    name: 'soak',
    about: `keeps the App API under load; rounds are windows of ${windowSeconds} s`,
    run: ({ rounds, log }) => runSoak({ windows: rounds ?? (soakMinutes * 60) / windowSeconds, log }),
  },
  {
    name: 'gateway-soak',
    about: `keeps the model gateway under load while clients leave; rounds are windows of ${gatewayWindowSeconds} s`,
    run: ({ rounds, log }) => runGatewaySoak({ windows: rounds ?? (soakMinutes * 60) / gatewayWindowSeconds, log }),
  },
  {
    name: 'gateway-fuzz',
    about: 'requests made of what clients declare, to every route of the model gateway; rounds are requests',
    run: ({ rounds, seed, log }) => runGatewayFuzz({ requests: rounds ?? gatewayFuzzRequests, seed, log }),
  },
  {
    name: 'gateway-clients',
    about: 'coding agents and a library that npm installs, unmodified, through the model gateway',
    async run({ log }) {
      const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'wharf-gateway-clients-')))
      const hasHeld = await runGatewayClients({ folder, log })
      await rm(folder, { recursive: true, force: true })
      return hasHeld
    },
  },
]
