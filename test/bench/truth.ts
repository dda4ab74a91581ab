/**
 * Certain edges and found uses, judged by the compilers of the languages: `npm run bench -- truth LANGUAGE=FOLDER…`, each a
 * repository that lies somewhere outside. What a compiler needs to find packages or headers stands behind the folder, set apart
 * by commas: `cpp=/tmp/leveldb,-std=c++17,-I/tmp/leveldb/include`. TypeScript's compiler is a package here; `scip-python`
 * (`@sourcegraph/scip-python`, installed outside of this project and found by the search path), `go`, `java`, `cargo` with
 * `rustc` 1.95, the `clang` of the system's Python, and `mcs` with Roslyn in `TRUTH_ROSLYN` are used where the machine has
 * them. So is `intelephense` (a package as `scip-python` is) for PHP. Where cargo has crates from the system and not from the
 * network, that is said behind the folder too:
 * `rust=/tmp/semver,--config,source.crates-io.replace-with="debian",--config,source.debian.directory="/usr/share/cargo/registry"`.
 * For Ruby what stands there is what `ruby` is given to run, mostly the tests, whose calls are followed:
 * `ruby=/tmp/rack,-Ilib,-Itest,-e,Dir.glob("./test/spec_*.rb") {|f| require f}`. Wrong and missed places are written to
 * `TRUTH_PLACES` (a folder), a file a language and repository.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { judgeFolder } from '../support/oracles/judge-folder.ts'
import { type JudgedLanguage, MissingOracleError, oracles } from '../support/oracles/oracles.ts'

/** In a hundred: of certain edges how many must be right, of uses how many must be found. */
const promised: Readonly<Record<JudgedLanguage, { right: number; found: number }>> = {
  typescript: { right: 99.5, found: 97 },
  python: { right: 99.5, found: 97 },
  go: { right: 99.5, found: 97 },
  java: { right: 99.5, found: 97 },
  c: { right: 99.5, found: 90 },
  cpp: { right: 99.5, found: 90 },
  php: { right: 99.5, found: 90 },
  ruby: { right: 98, found: 80 },
  csharp: { right: 99.5, found: 97 },
  rust: { right: 99.5, found: 90 },
}
const places = process.env['TRUTH_PLACES']

const share = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(2)} %`)
const asked = process.argv.slice(2)
if (asked.length === 0) {
  process.stderr.write(`Usage: npm run bench -- truth LANGUAGE=FOLDER…, one of: ${Object.keys(oracles).join(', ')}\n`)
  process.exit(2)
}
for (const one of asked) {
  const [, language, folder = '', ...more] = /^(\w+)=([^,]*)((?:,[^,]+)*)$/.exec(one) ?? []
  if (language === undefined || !(language in oracles)) throw new Error(`${one} is not LANGUAGE=FOLDER`)
  const judged = language as JudgedLanguage
  const root = path.resolve(folder)
  const name = `${judged} ${path.basename(root)}`
  try {
    const { files, right, wrong, sites, missed } = await judgeFolder(
      judged,
      root,
      more.join('').split(',').filter(Boolean),
    )
    const certain = right + wrong.length
    console.log(
      `${name}: ${files} files; ${certain} certain edges judged, ${wrong.length} wrong, ${share(right, certain)} right; ${sites} uses, ${missed.length} missed, ${share(sites - missed.length, sites)} found`,
    )
    const bound = promised[judged]
    if (files === 0 || right * 100 < bound.right * certain || (sites - missed.length) * 100 < bound.found * sites)
      process.exitCode = 1
    if (places === undefined) continue
    mkdirSync(places, { recursive: true })
    const lines = [...wrong.map((at) => `wrong ${at}`), ...missed.map((at) => `missed ${at}`)]
    writeFileSync(path.join(places, `${name.replace(' ', '-')}.txt`), `${lines.join('\n')}\n`)
  } catch (error) {
    if (!(error instanceof MissingOracleError)) throw error
    console.log(`${name}: not judged, there is no ${error.message} on this machine`)
    process.exitCode = 1
  }
}
