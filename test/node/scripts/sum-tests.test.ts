import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, type TestContext, test } from 'vitest'

const script = path.resolve(import.meta.dirname, '../../../scripts/sum-tests.mjs')

interface ResultFile {
  readonly name?: string
  readonly status: string
  readonly tests: readonly string[]
}

async function writeResults(context: TestContext, files: readonly ResultFile[]): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'wharf-sum-'))
  context.onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'tests.json')
  const testResults = files.map((one, place) => ({
    name: one.name ?? `file-${place}.test.ts`,
    status: one.status,
    assertionResults: one.tests.map((status, number) => ({ status, fullName: `test ${number}` })),
  }))
  await writeFile(file, JSON.stringify({ testResults }))
  return file
}

function runScript(...given: readonly string[]) {
  const outcome = spawnSync(process.execPath, [script, ...given], { encoding: 'utf8' })
  return { line: outcome.stdout, code: outcome.status }
}

async function sum(context: TestContext, files: readonly ResultFile[] | undefined, status: string) {
  return runScript(files === undefined ? '/nowhere/tests.json' : await writeResults(context, files), status)
}

describe('the sum over all test projects', () => {
  test('adds up every file', async (context) => {
    const files = [
      { status: 'passed', tests: ['passed', 'passed'] },
      { status: 'passed', tests: ['passed'] },
    ]
    context.expect(await sum(context, files, '0')).toEqual({ line: '3 passed, 0 failed\n', code: 0 })
  })

  test('names skipped tests', async (context) => {
    const files = [{ status: 'passed', tests: ['passed', 'skipped', 'pending', 'todo'] }]
    context.expect(await sum(context, files, '0')).toEqual({ line: '1 passed, 0 failed, 3 skipped\n', code: 0 })
  })

  test('tells slow tests that were left out apart from skipped ones', async (context) => {
    const file = await writeResults(context, [{ status: 'passed', tests: ['passed', 'skipped', 'skipped'] }])
    const results = JSON.parse(await readFile(file, 'utf8'))
    results.testResults[0].assertionResults[1].tags = ['slow']
    await writeFile(file, JSON.stringify(results))

    const line = '1 slow tests are left to npm run test:all\n1 passed, 0 failed, 1 skipped\n'
    context.expect(runScript(file, '0')).toEqual({ line, code: 0 })
  })

  test('a failed test is counted and ends with a failure', async (context) => {
    const files = [{ status: 'failed', tests: ['passed', 'failed'] }]
    context.expect(await sum(context, files, '1')).toEqual({ line: '1 passed, 1 failed\n', code: 1 })
  })

  test('a file that breaks before its first test counts as one failure', async (context) => {
    const files = [
      { status: 'failed', tests: [] },
      { status: 'passed', tests: ['passed'] },
    ]
    context.expect(await sum(context, files, '1')).toEqual({ line: '1 passed, 1 failed\n', code: 1 })
  })

  test('a failed check counts as one failure when every test passed', async (context) => {
    const files = [{ status: 'passed', tests: ['passed'] }]
    context.expect(await sum(context, files, '1')).toEqual({ line: '1 passed, 1 failed\n', code: 1 })
  })

  test('a run without results is a failure', async (context) => {
    context.expect(await sum(context, undefined, '0')).toEqual({ line: '0 passed, 1 failed\n', code: 1 })
  })
})

describe('what failed in company and is run once more', () => {
  const failed = { name: 'b.test.ts', status: 'failed', tests: ['passed', 'failed'] }
  const company = [{ name: 'a.test.ts', status: 'passed', tests: ['passed'] }, failed]

  test('counts by its second run, and what passed only then is named', async (context) => {
    const [tests, again] = await Promise.all([
      writeResults(context, company),
      writeResults(context, [{ ...failed, status: 'passed', tests: ['passed', 'passed'] }]),
    ])
    const line = 'passed only alone: b.test.ts > test 1\n3 passed, 0 failed\n'
    context.expect(runScript(tests, '0', again)).toEqual({ line, code: 0 })
  })

  test('is a failure when it fails again', async (context) => {
    const [tests, again] = await Promise.all([writeResults(context, company), writeResults(context, [failed])])
    context.expect(runScript(tests, '1', again)).toEqual({ line: '2 passed, 1 failed\n', code: 1 })
  })

  test('is nothing where no file was run again', async (context) => {
    const tests = await writeResults(context, company)
    context.expect(runScript(tests, '1', '/nowhere/again.json')).toEqual({ line: '2 passed, 1 failed\n', code: 1 })
  })

  test.for([
    { count: 0, listed: 0 },
    { count: 1, listed: 1 },
    { count: 5, listed: 5 },
    { count: 6, listed: 0 },
  ])('$count failed files are $listed to be run', async ({ count, listed }, context) => {
    const files = Array.from({ length: count }, (_, place) => ({ ...failed, name: `f-${place}.test.ts` }))
    const tests = await writeResults(context, [...files, company[0] ?? failed])
    context.expect(runScript('--failed', tests).line.split('\n').filter(Boolean)).toHaveLength(listed)
  })

  test('a file of two projects is named once, a run without results has none', async (context) => {
    const tests = await writeResults(context, [failed, failed])
    context.expect(runScript('--failed', tests).line).toBe('b.test.ts\n')
    context.expect(runScript('--failed', '/nowhere/tests.json').line).toBe('')
  })
})
