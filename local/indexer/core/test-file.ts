/** Folders of a suite that hold no tests, whatever they are in. */
const supportSuites = new Set([
  'testlib',
  'testdata',
  'testutil',
  'testutils',
  'test-utils',
  'fake',
  'fakes',
  'mock',
  'mocks',
  '__mocks__',
  'stubs',
])
const testDirectories = new Set(['test', 'tests', '__tests__', 'spec', 'specs', 'testing', 'e2e', ...supportSuites])
const sampleDirectories = new Set([
  'integration',
  'sample',
  'samples',
  'example',
  'examples',
  'fixture',
  'fixtures',
  'benchmark',
  'benchmarks',
  'demo',
  'demos',
])

const supportDirectories = new Set(['support', 'helpers', 'helper', 'fixtures', 'fixture', 'utils', 'util', 'common'])

/** Whether the name of a file, and not only its folder, says that it is a test. */
export function isNamedAsTest(path: string): boolean {
  const base = path.slice(path.lastIndexOf('/') + 1)
  if (/^test[_.]/.test(base)) return true
  const stem = base.replace(/\.[^.]*$/, '')
  return /[._-](test|tests|spec|specs)$/.test(stem) || /[a-z0-9](Test|Tests|TestCase|Tester|Spec|Specs)$/.test(stem)
}

/** Whether a path of a test suite is in a folder of what its tests have in common. */
export function isTestSupport(path: string): boolean {
  const folders = path.split('/').slice(0, -1)
  const suite = folders.findIndex((one) => testDirectories.has(one))
  return folders.some(
    (one, at) => (suite !== -1 && at > suite && supportDirectories.has(one)) || supportSuites.has(one),
  )
}

/** Whether a path belongs to a test suite. */
export function isTestFile(path: string): boolean {
  if (isNamedAsTest(path)) return true
  const segments = path.split('/').slice(0, -1)
  return segments.some(
    (segment) => testDirectories.has(segment) || /[a-z0-9]Tests?$/.test(segment) || segment.endsWith('-test'),
  )
}

/** Whether a path is outside production: a test suite, or samples and the like that stand above any `src/`. */
export function isNonProductionFile(path: string): boolean {
  if (isTestFile(path)) return true
  for (const segment of path.split('/').slice(0, -1)) {
    if (segment === 'src') return false
    if (sampleDirectories.has(segment)) return true
  }
  return false
}
