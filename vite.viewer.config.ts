import { defineConfig } from 'vite'

/** The code viewer's page. The viewer itself sends the headers of every file. */
export default defineConfig({
  root: 'local/viewer/web',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../../dist/web/viewer',
    emptyOutDir: true,
    // Everything stays a file: pictures inlined into styles would be read with every page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:4747' } },
})
