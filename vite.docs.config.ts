import { defineConfig } from 'vite'
import { besideScripts, elementsByH } from './scripts/page-build.ts'
import { withTheme } from './scripts/theme-script.ts'

/** `/docs`, beside the console: built by itself, so that neither waits for what the other one brings. */
export default defineConfig({
  root: 'workers/app/web/docs',
  oxc: elementsByH,
  plugins: [withTheme],
  experimental: besideScripts,
  publicDir: '../public',
  build: {
    // The console's build comes first, and brings the public files and the headers of all.
    outDir: '../../../../dist/web/console',
    emptyOutDir: false,
    copyPublicDir: false,
    assetsDir: 'assets/docs',
    rolldownOptions: { input: 'workers/app/web/docs/docs.html' },
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
  },
})
