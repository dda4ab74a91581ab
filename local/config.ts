/**
 * `wharf config`: what is set, by which name and from where; nothing is started, and nothing is changed. `wharf config diff`
 * and `apply`: what the file declares, beside what the running service has.
 */
import path from 'node:path'
import { servedOrigin } from './addresses-file.ts'
import { applyDeclaration, describeItem, fileToken, nothingDeclared } from './configuration/apply.ts'
import { readDeclaration } from './configuration/declared.ts'
import { readSettings } from './configuration/read-settings.ts'
import { settingNames } from './configuration/settings.ts'
import { parseServeFlags, type ServeFlags, serveUsage } from './serve-flags.ts'
import { readSecrets } from './workerd/secrets-file.ts'

const [first = '', ...rest] = process.argv.slice(2)
const command = first === 'diff' || first === 'apply' ? first : undefined
const args = command === undefined ? process.argv.slice(2) : rest

const usage = `Usage: wharf config diff [options]   what applying the file would do, a line an entry; ends with 1 where it would do something
       wharf config apply [options]  does it, without a new start; ends with 1 where an entry was left as it was

Options are those of wharf; --config and --data say which file and which service of this machine. A service elsewhere:
its address in WHARF_SERVICE, and a token that may configure in WHARF_TOKEN.
`

function refuse(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(2)
}

/** Where the service is, and what opens its settings. */
function serviceOf(dataFolder: string): { readonly origin: string; readonly token: string } {
  const elsewhere = process.env['WHARF_SERVICE'] ?? ''
  if (elsewhere !== '') {
    if (!URL.canParse(elsewhere)) refuse('WHARF_SERVICE takes an address such as https://wharf.example')
    const token = process.env['WHARF_TOKEN'] ?? ''
    return token === ''
      ? refuse('WHARF_TOKEN takes a token that may configure')
      : { origin: new URL(elsewhere).origin, token }
  }
  const secrets = readSecrets(dataFolder)
  if (!secrets.ok) return refuse(secrets.failure)
  const origin = servedOrigin(dataFolder)
  if (origin !== undefined && secrets.value !== undefined) return { origin, token: fileToken(secrets.value.MASTER_KEY) }
  return refuse(`No service runs on ${path.resolve(dataFolder)}; it applies the file when it starts`)
}

async function compare({ declares, dataFolder }: ServeFlags, isDryRun: boolean): Promise<never> {
  const declared = await readDeclaration(declares, process.env)
  if (!declared.ok) return refuse(declared.failure)
  const applied = await applyDeclaration(declared.value ?? nothingDeclared, { ...serviceOf(dataFolder), isDryRun })
  if (!applied.ok) return refuse(applied.failure)
  for (const item of applied.value) process.stdout.write(`${describeItem(item)}\n`)
  if (applied.value.length === 0) process.stdout.write('Everything is as the file declares it.\n')
  const stays = isDryRun ? applied.value : applied.value.filter(({ error }) => error !== undefined)
  process.exit(stays.length === 0 ? 0 : 1)
}

async function show({ file, declares, written }: Extract<ReturnType<typeof readSettings>, { ok: true }>['value']) {
  const declared = await readDeclaration(declares, process.env)
  if (!declared.ok) return refuse(declared.failure)
  process.stdout.write(file === undefined ? 'No file.\n' : `File: ${file}\n`)
  const rows = settingNames.flatMap((name) => {
    const one = written.get(name)
    return one === undefined ? [] : [[name, one.texts.join(' '), one.from === 'file' ? 'the file' : one.name] as const]
  })
  for (const [name, value, from] of rows) process.stdout.write(`${name} = ${value} (${from})\n`)
  for (const [kind, ofKind] of Object.entries(declared.value ?? {}))
    if (ofKind.length > 0) process.stdout.write(`${kind}: ${ofKind.map(({ name }) => name).join(', ')} (the file)\n`)
  process.stdout.write(
    rows.length === 0 ? 'Everything is as it is by default.\n' : 'Everything else is as it is by default.\n',
  )
}

const read = readSettings(args, process.env)
const judged = parseServeFlags(args, process.env)
if (!read.ok || !judged.ok) refuse(!read.ok ? read.failure : judged.ok ? '' : judged.failure)
else if (judged.value.isHelpAsked) process.stdout.write(command === undefined ? `${serveUsage(process.env)}\n` : usage)
else if (command === undefined) await show(read.value)
else await compare(judged.value, command === 'diff')
