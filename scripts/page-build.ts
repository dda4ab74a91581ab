/** How pages are built: of few bytes, and those of the tools on one's own machine with everything a file of its own. */
import type { Plugin, UserConfig } from 'vite'
import { themeScript } from './theme-script.ts'

/**
 * Vite wraps each import on demand in a helper that fetches its style sheets first. There is one style sheet, which the
 * page links, so the helper has nothing to do, and takes half a kilobyte to do it.
 */
const importPlainly: Plugin = {
  name: 'import-plainly',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined),
}

/** Elements are made by `h`: children as arguments are shorter than children as a property, a thousand times over. */
export const elementsByH = {
  jsx: { runtime: 'classic', pragma: '_h', pragmaFrag: '_Fragment' },
  jsxInject: "import { h as _h, Fragment as _Fragment } from 'preact'",
} satisfies UserConfig['oxc']

/**
 * Scripts and styles find what they ask for from where they are themselves, whatever path a page is served below. In the
 * page itself addresses begin at the root, where the host puts that path: an unknown address gets the page too.
 */
export const besideScripts = {
  renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
} satisfies UserConfig['experimental']

/** The tool itself sends the headers of every file. `port` is where it listens while the page is worked on. */
export function pageBuild(name: 'agent' | 'viewer', port: number): UserConfig {
  return {
    root: `local/${name}/web`,
    oxc: elementsByH,
    plugins: [importPlainly, themeScript(`${name}-ui`)],
    build: {
      outDir: `../../../dist/web/${name}`,
      emptyOutDir: true,
      // Everything stays a file: pictures inlined into styles would be read with every page.
      assetsInlineLimit: 0,
      // A script that waits for neither a style sheet nor another module needs no code that fetches those first.
      cssCodeSplit: false,
      modulePreload: false,
      target: 'es2022',
      reportCompressedSize: false,
    },
    server: { proxy: { '/api': { target: `http://127.0.0.1:${port}`, ws: true } } },
  }
}
