import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** The script that sets theme and language before the first paint, with the names under which a page keeps its choices. */
export function themeScript(page: string): Plugin {
  const source = () =>
    readFileSync(new URL('../shared/pages/theme.js', import.meta.url), 'utf8').replaceAll('{page}', page)
  return {
    ...withTheme,
    name: 'theme-script',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'theme.js', source: source() })
    },
    configureServer(server) {
      server.middlewares.use('/theme.js', (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript; charset=utf-8')
        response.end(source())
      })
    },
  }
}

/**
 * Names the script at the head of a page that is built: the builder has nothing to do with a script that is no module, and
 * warns of one that it finds.
 */
export const withTheme: Plugin = {
  name: 'with-theme',
  transformIndexHtml: {
    order: 'post',
    handler: () => [{ tag: 'script', attrs: { src: '/theme.js' }, injectTo: 'head-prepend' }],
  },
}
