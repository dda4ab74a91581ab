/** `npm run openapi` writes the App API's document; with `--check` it fails when the committed one would change. */
import { readFileSync, writeFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { operationExamples } from '../workers/app/contract/examples/all.ts'
import { buildOpenApi } from '../workers/app/contract/openapi.ts'
import { appRouteDeclarations } from '../workers/app/contract/routes.ts'

const target = new URL('../workers/app/contract/app-api-v1.yaml', import.meta.url)
const notice = '# Generated from the route declarations by `npm run openapi`. Change those, not this file.\n'
const text = `${notice}${stringify(buildOpenApi(appRouteDeclarations, '1.0.0-preview', operationExamples), { lineWidth: 0, aliasDuplicateObjects: false })}`

if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  console.error('app-api-v1.yaml does not match the route declarations; run `npm run openapi`')
  process.exit(1)
}
