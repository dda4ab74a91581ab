import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { Response as RuntimeResponse } from 'miniflare'
import { defineConfig } from 'vitest/config'
import { forwardThroughProxy } from './local/workerd/outgoing-proxy.ts'
import { keptCode } from './test/support/kept-code.ts'
import { makeMemoryFolder, quickFolder } from './test/support/memory-folder.ts'

const onDisk = tmpdir()
makeMemoryFolder()
// Where the runtime of project `workerd`, a child of this process, keeps its state.
process.env['TMPDIR'] = quickFolder()

/** As the host makes one with each start. */
const outgoingCode = 'test-outgoing-code'

/** What a test waits for may take a while on a machine whose cores are shared. A state that never comes still fails it. */
const patientPolls = { poll: { timeout: 30_000 } }

const nodeProject = (name: string, testTimeoutMs: number) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    environment: 'node',
    testTimeout: testTimeoutMs,
    hookTimeout: 60_000,
    expect: patientPolls,
    env: { ...keptCode, TMPDIR: onDisk },
    // To start a process and to load everything anew costs more than most files' tests: files share one (decision 255).
    isolate: false,
    setupFiles: ['./test/support/shared-process.ts'],
    // The pinned Node reads the sources itself, as it does where they are used, and keeps what it compiled.
    experimental: { viteModuleRunner: false },
  },
})

const runtimesTests = 'test/runtimes/**/*.test.ts'

const programs = nodeProject('node', 120_000)
const programsProject = {
  test: {
    ...programs.test,
    include: [...programs.test.include, runtimesTests],
    setupFiles: [...programs.test.setupFiles, './test/support/node-engine.ts'],
  },
}

const pages = nodeProject('web', 120_000)
const pagesProject = {
  test: {
    ...pages.test,
    setupFiles: [...pages.test.setupFiles, './test/support/console-now.ts'],
    globalSetup: ['./test/support/built-console.ts'],
  },
}

/** As the `rules` of wrangler.toml do for the real bundle. */
const tomlAsText = {
  name: 'toml-as-text',
  enforce: 'pre' as const,
  load: (id: string) =>
    id.endsWith('.toml') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined,
}

/** The suites of the Worker, on Node: the same files, with the runtime's own modules under the platform's names. */
const nodeRuntimeProject = {
  plugins: [tomlAsText],
  resolve: {
    alias: {
      'cloudflare:workers': path.resolve('test/support/node-runtime/cloudflare-workers.ts'),
      'cloudflare:test': path.resolve('test/support/node-runtime/cloudflare-test.ts'),
    },
  },
  test: {
    name: 'node-runtime',
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: patientPolls,
    include: ['test/workerd/**/*.test.ts', runtimesTests],
    // The edge's own pair of sockets, which this runtime has no use for: its listener takes connections itself.
    exclude: ['test/workerd/edge-sockets.test.ts'],
    setupFiles: ['./test/support/node-runtime/start-runtime.ts'],
    globalSetup: ['./test/support/start-stand-in-sites.ts'],
  },
}

/** What is proved of the service as a program is proved on the edge's runtime too, by the same files. */
const onWorkerd = {
  test: {
    ...nodeProject('conformance', 120_000).test,
    name: 'conformance-workerd',
    include: [
      'test/conformance/{app,gateway,attack}/**/*.test.ts',
      'test/node/workerd/{crash,host,host-gate,lost-key,secrets}.test.ts',
    ],
    // It asks the drivers themselves, in the test's own process, which is the same on either.
    exclude: ['test/conformance/app/downloader-drivers.test.ts'],
    env: { ...keptCode, TMPDIR: onDisk, WHARF_TEST_RUNTIME: 'workerd' },
  },
}

export default defineConfig({
  test: {
    // Many files mostly wait for a process to start or a time limit to pass: two cores have room for five.
    maxWorkers: 5,
    globalSetup: ['./test/support/end-in-time.ts'],
    tags: [
      { name: 'slow', description: 'Repeats in many seconds what a quicker test shows: left to npm run test:all.' },
    ],
    projects: [
      nodeProject('pure', 30_000),
      programsProject,
      nodeProject('conformance', 120_000),
      onWorkerd,
      pagesProject,
      nodeRuntimeProject,
      {
        plugins: [
          tomlAsText,
          cloudflareTest(async () => ({
            // What is tested is what is shipped: flags, database, objects and variables are those of the deployed script.
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              // The host's own outgoing side, so that a proxy is tested through the whole of it.
              serviceBindings: { OUTGOING: forwardThroughProxy(outgoingCode, RuntimeResponse) },
              bindings: {
                OUTGOING_CODE: outgoingCode,
                D1_MIGRATIONS: await readD1Migrations('./migrations'),
                MASTER_KEY: 'dGVzdC1tYXN0ZXIta2V5LTMyLWJ5dGVzLWxvbmchISE=',
                SETUP_CODE: 'test-setup-code',
                FUZZ_RUNS: process.env['WHARF_FUZZ_RUNS'] ?? '20',
                FUZZ_SEED: process.env['WHARF_FUZZ_SEED'] ?? '',
              },
            },
          })),
        ],
        test: {
          name: 'workerd',
          isolate: false,
          sequence: { setupFiles: 'list' },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patientPolls,
          include: ['test/workerd/**/*.test.ts', runtimesTests],
          setupFiles: [
            './test/support/workerd/begin-anew.ts',
            './test/support/workerd/apply-migrations.ts',
            './test/support/workerd/durable-engine.ts',
          ],
          globalSetup: ['./test/support/start-stand-in-sites.ts'],
        },
      },
    ],
  },
})
