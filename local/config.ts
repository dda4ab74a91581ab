/** `wharf config`: what is set, by which name and from where. Nothing is started, and nothing is changed. */
import { readSettings } from './configuration/read-settings.ts'
import { settingNames } from './configuration/settings.ts'
import { parseServeFlags, serveUsage } from './serve-flags.ts'

const args = process.argv.slice(2)
const read = readSettings(args, process.env)
const judged = parseServeFlags(args, process.env)
if (!read.ok || !judged.ok) {
  process.stderr.write(`${!read.ok ? read.failure : judged.ok ? '' : judged.failure}\n`)
  process.exit(2)
}
if (judged.value.isHelpAsked) {
  process.stdout.write(`${serveUsage(process.env)}\n`)
  process.exit(0)
}
const { written, file } = read.value
process.stdout.write(file === undefined ? 'No file.\n' : `File: ${file}\n`)
const rows = settingNames.flatMap((name) => {
  const one = written.get(name)
  return one === undefined ? [] : [[name, one.texts.join(' '), one.from === 'file' ? 'the file' : one.name] as const]
})
for (const [name, value, from] of rows) process.stdout.write(`${name} = ${value} (${from})\n`)
process.stdout.write(
  rows.length === 0 ? 'Everything is as it is by default.\n' : 'Everything else is as it is by default.\n',
)
