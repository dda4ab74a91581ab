/** Every declared route of the Worker under many more random requests than `npm test` sends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface FuzzOptions {
  /** Requests a route. */
  readonly requests: number
  readonly seed: number
  readonly log: (line: string) => void
}

/** Resolves with whether every answer was a documented one. A failure prints what was sent, shrunk. */
export async function runFuzz({ requests, seed, log }: FuzzOptions): Promise<boolean> {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'workerd', 'test/workerd/app/fuzz.test.ts']
  const limits = ['--testTimeout=3600000', '--reporter=verbose']
  const child = spawn(process.execPath, [...args, ...limits], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, WHARF_FUZZ_RUNS: String(requests), WHARF_FUZZ_SEED: String(seed), NO_COLOR: '1' },
  })
  createInterface(child.stdout).on('line', log)
  createInterface(child.stderr).on('line', (line) => {
    // The runtime tells of every refused connection to the addresses that the requests name.
    if (!line.startsWith('uncaught exception')) log(line)
  })
  const [code] = await once(child, 'exit')
  return code === 0
}
