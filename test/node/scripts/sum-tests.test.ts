import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, type TestContext, test } from 'vitest'

const script = path.resolve(import.meta.dirname, '../../../scripts/sum-tests.mjs')

interface ResultFile {
  readonly status: string
  readonly tests: readonly string[]
}

async function sum(context: TestContext, files: readonly ResultFile[] | undefined, status: string) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'wharf-sum-'))
  context.onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'tests.json')
  const testResults = files?.map((one) => ({
    status: one.status,
    assertionResults: one.tests.map((state) => ({ status: state })),
  }))
  if (testResults !== undefined) await writeFile(file, JSON.stringify({ testResults }))
  const outcome = spawnSync(process.execPath, [script, file, status], { encoding: 'utf8' })
  return { line: outcome.stdout, code: outcome.status }
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
