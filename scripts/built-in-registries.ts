/** The gateway's registries as a part of a built program, which has no folder beside it to read them from. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'esbuild'

const folder = path.join(path.dirname(import.meta.dirname), 'workers/gateway/config')

export const registriesInside: Plugin = {
  name: 'registries-inside',
  setup(setup) {
    setup.onLoad({ filter: /local[\\/]gateway[\\/]registry-source\.ts$/ }, async () => {
      const files = ['models.toml', 'embeddings.toml', 'prices.toml']
      const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
      const table = JSON.stringify(Object.fromEntries(files.map((file, index) => [file, texts[index]])))
      return { contents: `const texts = ${table}; export function builtInRegistry(file) { return texts[file] }` }
    })
  },
}
