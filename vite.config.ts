import { readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'
import { parse } from 'yaml'
import { besideScripts, elementsByH } from './scripts/page-build.ts'
import { themeScript } from './scripts/theme-script.ts'
import { buildOpenApi, settingsApi } from './workers/app/contract/openapi.ts'
import { settingRouteDeclarations } from './workers/app/contract/settings-api.ts'

/** Sent with every file of the console; Workers static assets read them from `_headers`. */
const consoleHeaders = `/*
  Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
  Permissions-Policy: camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Resource-Policy: same-origin

/assets/*
  Cache-Control: public, max-age=31536000, immutable
`

function emitFile(fileName: string, source: () => string): Plugin {
  return {
    name: `emit ${fileName}`,
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: source() })
    },
  }
}

/** The App API's description, which the Worker serves from here. */
function interfaceDocument(): string {
  const written = new URL('workers/app/contract/app-api-v1.yaml', import.meta.url)
  return JSON.stringify(parse(readFileSync(written, 'utf8')))
}

const settingsDocument = () => JSON.stringify(buildOpenApi(settingRouteDeclarations, '1.0.0-preview', [], settingsApi))

export default defineConfig({
  root: 'workers/app/web',
  oxc: elementsByH,
  experimental: besideScripts,
  plugins: [
    themeScript('wharf'),
    emitFile('_headers', () => consoleHeaders),
    emitFile('app-api-v1.json', interfaceDocument),
    emitFile('settings-api-v1.json', settingsDocument),
  ],
  build: {
    outDir: '../../../dist/web/console',
    emptyOutDir: true,
    // Everything stays a file: the policy allows no `data:` address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What the first screen shares with others, in one file: a score of small ones compress worse.
        codeSplitting: {
          groups: [
            {
              name: 'common',
              test: /\/shared\/pages\/(?:icon|loaded|set)\.|\/web\/(?:components\/(?:account-figure|figure|loaded|one-of|section|site-parts|state-mark|task-state)|model\/(?:amounts|moments|search-groups|site-board)|api\/(?:downloaders|search|sites))\./,
            },
            // What stands on each screen, apart from the next: else the first screen waited for that too.
            { name: 'shell', test: /\/web\/components\/shell\./ },
            // What forms and lists are made of, which nearly every other screen wants.
            {
              name: 'forms',
              test: /\/shared\/pages\/(?:field|form-frame|use-actions|use-form)\.|\/web\/(?:use-(?:form|actions|known-places)|components\/(?:clauses|confirm-removal|decided-row|field|find-box|form-frame|form-screen|free-end-form|job-parts|key-list|last-used|list-screen|metadata-key-link|name-dialog|name-field|outcome-row|owner-name|pager|push-why|push-words|row-buttons|row-menu|rule-form|rule-frame|rule-trial|run-row|search-bar|secrets-note|shown-once|side-panel|stored-key|subscription-parts|subscription-settings|table|test-report|time-zone-field|torrent-name|why)|model\/(?:search-query|subscription-query|typed-number))\./,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8787' } },
})
