import type { Hono } from 'hono'
import { exchangeBrowserToken } from './contract/browser-auth.ts'
import { describeRoutes } from './http/document.ts'
import { askRoutes } from './http/routes/ask.ts'
import { backgroundRoutes } from './http/routes/background.ts'
import { catalogueRoutes } from './http/routes/catalogue.ts'
import { fileRoutes } from './http/routes/file.ts'
import { locationRoutes } from './http/routes/location.ts'
import { memoryRoutes } from './http/routes/memory.ts'
import { pruneRoutes } from './http/routes/prune.ts'
import { terminalRoutes } from './http/routes/pty.ts'
import { sandboxRoutes } from './http/routes/sandbox.ts'
import { scheduleRoutes } from './http/routes/schedule.ts'
import { sessionRoutes } from './http/routes/session.ts'
import { toolServerRoutes } from './http/routes/tool-server.ts'
import { workTreeRoutes } from './http/routes/work-tree.ts'
import { serveRoutes } from './http/serve-routes.ts'
import type { AgentDeps } from './ports.ts'

/** The interface as a Hono app. Who may call is judged before it, on the raw request: http/guard.ts. */
export function createAgentApp(deps: AgentDeps): Hono {
  let documentText: string | undefined
  const before = deps.hasBrowserAuth ? [exchangeBrowserToken] : []
  const routes = [
    ...locationRoutes(deps, () => {
      documentText ??= describeRoutes([...routes.map(({ route }) => route), ...before], deps.version)
      return documentText
    }),
    ...catalogueRoutes(deps),
    ...toolServerRoutes(deps),
    ...scheduleRoutes(deps),
    ...fileRoutes(deps),
    ...sandboxRoutes(deps),
    // Before the sessions, of which none is named so.
    ...pruneRoutes(deps),
    ...sessionRoutes(deps),
    ...workTreeRoutes(deps),
    ...backgroundRoutes(deps),
    ...memoryRoutes(deps),
    ...askRoutes(deps),
    ...terminalRoutes(deps),
  ]
  return serveRoutes(deps, routes)
}
