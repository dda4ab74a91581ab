/** Tests with random input, with far more of it than `npm test` has time for. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface FuzzOptions {
  /** Requests a route, and inputs a reader. */
  readonly requests: number
  readonly seed: number
  readonly log: (line: string) => void
}

/** What reads torrent files, names of releases and sites' pages, then every declared route, and weeks of sites' jobs. True: it held. */
export async function runFuzz({ requests, seed, log }: FuzzOptions): Promise<boolean> {
  const settings = { WHARF_FUZZ_RUNS: String(requests), WHARF_FUZZ_SEED: String(seed) }
  const files = [
    'app/torrent-file.test.ts',
    'app/template-engine.test.ts',
    'app/media/release-name.test.ts',
    'app/site-fuzz.test.ts',
    'app/torrent-list.test.ts',
    'app/assistant-interleavings.test.ts',
  ]
  const readers = [
    '--project',
    'pure',
    '--project',
    'node',
    ...files,
    '-t',
    'any file|whatever is written|made of anything|the driver ends with|the tree|in whatever order',
  ]
  const areReadersFine = await runTests(readers, settings, log)
  const inWorker = ['--project', 'workerd', 'test/workerd/app/fuzz.test.ts', 'test/workerd/app/site-walk.test.ts']
  return (await runTests(inWorker, settings, log)) && areReadersFine
}

/** Pages of sites, forks and relatives, definitions and their texts with something wrong in them, and what is read from them. */
export function runPageFuzz(pages: number, seed: number, log: (line: string) => void): Promise<boolean> {
  const settings = { WHARF_MUTATIONS: String(pages), WHARF_FUZZ_SEED: String(seed) }
  const files = ['mutated-pages', 'page-families', 'cardigann/plain-yaml'].map((name) => `test/pure/app/${name}.test.ts`)
  return runTests(['--project', 'pure', ...files, '-t', 'mutated|with faults in it'], settings, log)
}

/** Requests made of the types of clients' packages, which all routes share, and whatever else may come to the port. */
export function runGatewayFuzz({ requests, seed, log }: FuzzOptions): Promise<boolean> {
  const settings = { WHARF_FUZZ_RUNS: String(requests), WHARF_FUZZ_SEED: String(seed) }
  const files = ['generated-requests', 'request-fuzz'].map((name) => `test/node/gateway/${name}.test.ts`)
  return runTests(['--project', 'node', ...files], settings, log)
}

/** Sources, index files and requests of the code index and its viewer, each `scale` times as many as usual, and all edges. */
export function runViewerFuzz(scale: number, seed: number, log: (line: string) => void): Promise<boolean> {
  const settings = { FUZZ_SCALE: String(scale), FUZZ_SEED: String(seed) }
  const files = ['robustness', 'compiler-oracle'].map((name) => `test/node/indexer/${name}.test.ts`)
  return runTests(['--project', 'node', ...files], settings, log)
}

/** Feeds over a year of simulated time, on the Node runtime. */
export function runYear(seed: number, log: (line: string) => void): Promise<boolean> {
  const settings = { WHARF_FUZZ_RUNS: '365', WHARF_FUZZ_SEED: String(seed) }
  return runTests(['--project', 'node-runtime', 'test/workerd/app/year-walk.test.ts'], settings, log)
}

/** A failure prints what was sent, shrunk. */
async function runTests(
  which: readonly string[],
  settings: Readonly<Record<string, string>>,
  log: (line: string) => void,
): Promise<boolean> {
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...which, '--testTimeout=3600000', '--reporter=verbose']
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...settings, NO_COLOR: '1' },
  })
  createInterface(child.stdout).on('line', log)
  createInterface(child.stderr).on('line', (line) => {
    // The runtime tells of every refused connection to the addresses that the requests name.
    if (!line.startsWith('uncaught exception')) log(line)
  })
  const [code] = await once(child, 'exit')
  return code === 0
}
