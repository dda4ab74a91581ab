// sum-tests.mjs RESULTS STATUS: prints one line for all test projects together, and ends with a failure when any part
// of the run failed, whether a test counted it or not.
import { existsSync, readFileSync } from 'node:fs'

function sumTests(results) {
  const count = { passed: 0, failed: 0, skipped: 0 }
  for (const file of results.testResults) {
    let failedHere = 0
    for (const test of file.assertionResults) {
      if (test.status === 'passed') count.passed += 1
      else if (test.status === 'failed') failedHere += 1
      else count.skipped += 1
    }
    // A file that breaks before its first test, or in a hook, has no failed test to show for it.
    if (file.status === 'failed' && failedHere === 0) failedHere = 1
    count.failed += failedHere
  }
  return count
}

function summaryLine(count, hasOtherFailure) {
  // A failed check, or a run that broke off, is one failure when no test stands for it.
  const failed = hasOtherFailure && count.failed === 0 ? 1 : count.failed
  return `${count.passed} passed, ${failed} failed${count.skipped === 0 ? '' : `, ${count.skipped} skipped`}`
}

const [file = '', status = '1'] = process.argv.slice(2)
const count = existsSync(file) ? sumTests(JSON.parse(readFileSync(file, 'utf8'))) : { passed: 0, failed: 1, skipped: 0 }
const hasOtherFailure = status !== '0'
process.stdout.write(`${summaryLine(count, hasOtherFailure)}\n`)
process.exit(count.failed === 0 && !hasOtherFailure ? 0 : 1)
