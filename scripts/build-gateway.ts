// npm run build:gateway [FOLDER]: the gateway as one file that any Node from 24 on runs by itself.
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'

const root = path.dirname(import.meta.dirname)
const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist/gateway'))

const registriesInside: Plugin = {
  name: 'registries-inside',
  setup(setup) {
    setup.onLoad({ filter: /local[\\/]gateway[\\/]registry-source\.ts$/ }, async () => {
      const files = ['models.toml', 'embeddings.toml']
      const texts = await Promise.all(
        files.map((file) => readFile(path.join(root, 'workers/gateway/config', file), 'utf8')),
      )
      const table = JSON.stringify(Object.fromEntries(files.map((file, index) => [file, texts[index]])))
      return { contents: `const texts = ${table}; export function builtInRegistry(file) { return texts[file] }` }
    })
  },
}

await mkdir(folder, { recursive: true })
await build({
  entryPoints: [path.join(root, 'local/gateway.ts')],
  outfile: path.join(folder, 'gateway.mjs'),
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Packages written for require() find it here.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  plugins: [registriesInside],
  logLevel: 'error',
})
process.stdout.write(`${path.join(folder, 'gateway.mjs')}\n`)
