// sum-tests.mjs RESULTS STATUS [AGAIN]: prints one line for all test projects together, and ends with a failure when any
// part of the run failed, whether a test counted it or not. AGAIN holds the results of files that were run once more:
// they stand in for the first ones, and each test that passed only then is named above the line. Slow tests that were left
// to npm run test:all are none that were skipped, and are told above it too.
// sum-tests.mjs --failed RESULTS: prints the files that failed, one a line, where they are few enough to be run once more.
import { existsSync, readFileSync } from 'node:fs'

/** Where more fail, it is not for want of quiet, and a second run would only take its time. */
const filesRunAgainMax = 5

const readFiles = (results) => JSON.parse(readFileSync(results, 'utf8')).testResults

function failedFiles(results) {
  const failed = existsSync(results) ? readFiles(results).filter((file) => file.status === 'failed') : []
  const names = [...new Set(failed.map((file) => file.name))]
  return names.length > filesRunAgainMax ? [] : names
}

function sumTests(files) {
  const count = { passed: 0, failed: 0, skipped: 0, left: 0 }
  for (const file of files) {
    let failedHere = 0
    for (const test of file.assertionResults) {
      if (test.status === 'passed') count.passed += 1
      else if (test.status === 'failed') failedHere += 1
      else if (test.tags?.includes('slow')) count.left += 1
      else count.skipped += 1
    }
    // A file that breaks before its first test, or in a hook, has no failed test to show for it.
    if (file.status === 'failed' && failedHere === 0) failedHere = 1
    count.failed += failedHere
  }
  return count
}

/** The names of what failed in the first run and passed when its file was alone. */
function passedOnlyAlone(files, again) {
  const passed = new Set()
  for (const file of again)
    for (const test of file.assertionResults)
      if (test.status === 'passed') passed.add(`${file.name} > ${test.fullName}`)
  return files
    .flatMap((file) => file.assertionResults.map((test) => [`${file.name} > ${test.fullName}`, test.status]))
    .filter(([name, status]) => status === 'failed' && passed.has(name))
    .map(([name]) => name)
}

function summaryLine(count, hasOtherFailure) {
  // A failed check, or a run that broke off, is one failure when no test stands for it.
  const failed = hasOtherFailure && count.failed === 0 ? 1 : count.failed
  return `${count.passed} passed, ${failed} failed${count.skipped === 0 ? '' : `, ${count.skipped} skipped`}`
}

function printSum(results, status, againResults) {
  if (!existsSync(results)) {
    process.stdout.write(`${summaryLine({ passed: 0, failed: 1, skipped: 0 }, true)}\n`)
    return 1
  }
  const first = readFiles(results)
  const again = againResults !== undefined && existsSync(againResults) ? readFiles(againResults) : []
  const repeated = new Set(again.map((file) => file.name))
  const count = sumTests([...first.filter((file) => !repeated.has(file.name)), ...again])
  const hasOtherFailure = status !== '0'
  for (const name of passedOnlyAlone(first, again)) process.stdout.write(`passed only alone: ${name}\n`)
  if (count.left > 0) process.stdout.write(`${count.left} slow tests are left to npm run test:all\n`)
  process.stdout.write(`${summaryLine(count, hasOtherFailure)}\n`)
  return count.failed === 0 && !hasOtherFailure ? 0 : 1
}

const [first = '', second = '1', third] = process.argv.slice(2)
if (first === '--failed')
  process.stdout.write(
    failedFiles(second)
      .map((name) => `${name}\n`)
      .join(''),
  )
else process.exit(printSum(first, second, third))
