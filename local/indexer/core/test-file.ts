const testDirectories = new Set([
  'test',
  'tests',
  '__tests__',
  'spec',
  'specs',
  'testlib',
  'testing',
  'e2e',
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

/** Whether a path belongs to a test suite. */
export function isTestFile(path: string): boolean {
  const segments = path.split('/')
  const base = segments.pop() ?? ''
  if (/^test[_.]/.test(base)) return true
  const stem = base.replace(/\.[^.]*$/, '')
  if (/[._-](test|tests|spec|specs)$/.test(stem)) return true
  if (/[a-z0-9](Test|Tests|TestCase|Tester|Spec|Specs)$/.test(stem)) return true
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
