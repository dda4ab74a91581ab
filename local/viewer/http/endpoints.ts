/** What `GET /api` lists. */
export interface Endpoint {
  readonly path: string
  readonly description: string
  readonly params?: readonly string[]
}

export const endpoints: readonly Endpoint[] = [
  { path: 'GET /api', description: 'the endpoints this server answers' },
  { path: 'GET /api/stats', description: 'index state, counts, frameworks, thresholds, blast-radius scale' },
  {
    path: 'GET /api/search',
    description: 'ranked symbol search; filters kind:, lang:, path:, name:',
    params: ['q', 'limit'],
  },
  {
    path: 'GET /api/text',
    description: 'lines of the files of the index that hold a text or match a regular expression',
    params: ['q', 'regex', 'case', 'word', 'path', 'limit'],
  },
  { path: 'GET /api/node/<id>', description: 'one symbol with everything around it' },
  { path: 'GET /api/nodes', description: 'names and places of up to 60 ids', params: ['id'] },
  {
    path: 'GET /api/source',
    description: 'lines of a file with syntax classes',
    params: ['file', 'from', 'to', 'ondrift'],
  },
  { path: 'GET /api/blame', description: 'whose change made each line of a file, and when', params: ['file'] },
  { path: 'GET /api/file/<path>', description: 'outline, imports and dependencies of a file' },
  { path: 'GET /api/filecode/<path>', description: 'call sites of a file, line by line' },
  { path: 'GET /api/routes', description: 'URLs and what answers them', params: ['limit'] },
  { path: 'GET /api/entrypoints', description: 'places to start reading', params: ['limit', 'routes'] },
  {
    path: 'GET /api/handlers',
    description: 'URLs that frameworks hand to the code, with what answers them',
    params: ['limit'],
  },
  {
    path: 'GET /api/gaps',
    description: 'files that the index does not have, or not all of, each with its reason',
    params: ['limit'],
  },
  {
    path: 'GET /api/tree',
    description: 'one folder: its folders and files with counts, and what of it the index does not have',
    params: ['folder', 'limit'],
  },
  {
    path: 'GET /api/accuracy',
    description: 'how right the edges are, by language, as far as compilers have said',
    params: ['limit'],
  },
  {
    path: 'GET /api/review',
    description: 'what the change since a commit does: affected symbols, routes, tests, dead code, circles',
    params: ['range', 'limit'],
  },
  { path: 'GET /api/map', description: 'the repository by module', params: ['root', 'depth', 'production'] },
  {
    path: 'GET /api/deadcode',
    description: 'what nothing reaches, with every exclusion counted',
    params: ['limit', 'kinds', 'exported', 'tests', 'generated'],
  },
  {
    path: 'GET /api/flow',
    description: 'the call path between symbols',
    params: ['from', 'to', 'symbols', 'hop', 'limit'],
  },
  { path: 'GET /api/screens', description: 'screens and the navigation between them' },
  { path: 'GET /api/events', description: 'live events' },
  { path: 'GET /api/trails', description: 'saved trails' },
  { path: 'POST /api/trails', description: 'save a trail' },
  { path: 'DELETE /api/trails/<id>', description: 'delete a trail' },
]
