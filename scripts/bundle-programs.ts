// Builds every program and the Worker script into dist/programs, as JavaScript that runs from below node_modules, with the
// licences of all that went into them. What stays outside are the packages with parts for each platform: dependencies.
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { programs } from '../bin/installation.mjs'
import { digestFileOf, digestOf, scriptBundling, scriptText } from '../local/runtime/script-bundle.ts'
import manifest from '../package.json' with { type: 'json' }
import { registriesInside } from './built-in-registries.ts'
import { generateClient } from './client/generate.ts'
import { bundledPackages, licenceText } from './licences.ts'

const root = path.dirname(import.meta.dirname)
const folder = path.join(root, 'dist', 'programs')
/** What hosts the script in a checkout: its programs are larger than all of ours, and a package goes without. */
const ofCheckouts = ['esbuild', 'miniflare', 'wrangler']

const bundling = {
  entryPoints: Object.entries(programs).map(([out, source]) => ({ in: path.join(root, source), out })),
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  chunkNames: 'part-[hash]',
  bundle: true,
  splitting: true,
  metafile: true,
  // Names stay: an error that is told keeps saying where it was.
  minifyWhitespace: true,
  minifySyntax: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  external: [...Object.keys(manifest.dependencies), ...ofCheckouts],
  plugins: [registriesInside],
  // Packages written for require() find it here.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  absWorkingDir: root,
  logLevel: 'error',
} satisfies BuildOptions

async function buildScript(): Promise<Metafile> {
  const built = await build({ ...scriptBundling(path.join(root, 'workers/worker.ts')), minify: true })
  const file = path.join(folder, 'worker-script.cjs')
  const text = scriptText(built.outputFiles)
  await writeFile(file, text)
  await writeFile(digestFileOf(file), `${digestOf(text)}\n`)
  return built.metafile
}

/** The compiler that judges edges of the code index: a file by itself, because it finds its libraries beside it. */
async function buildCompiler(): Promise<Metafile> {
  const from = path.join(root, 'node_modules/typescript/lib')
  const to = path.join(folder, 'typescript')
  const { metafile } = await build({
    entryPoints: [path.join(from, 'typescript.js')],
    outfile: path.join(to, 'typescript.cjs'),
    minify: true,
    platform: 'node',
    target: 'node24',
    metafile: true,
    absWorkingDir: root,
    logLevel: 'error',
  })
  const libraries = (await readdir(from)).filter((name) => /^lib\..*d\.ts$/.test(name))
  await Promise.all(libraries.map((name) => copyFile(path.join(from, name), path.join(to, name))))
  return metafile
}

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const [{ metafile }, ofScript, ofCompiler] = await Promise.all([build(bundling), buildScript(), buildCompiler()])
const packages = await bundledPackages(root, [metafile, ofScript, ofCompiler])
await writeFile(path.join(folder, 'LICENSES.txt'), await licenceText(root, packages))
await generateClient(path.join(root, 'dist', 'client'))
// Read by the release: which packages are inside of what is shipped.
await writeFile(path.join(folder, 'bundled.json'), `${JSON.stringify(packages, null, 2)}\n`)
