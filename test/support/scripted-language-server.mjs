// A language server of the Language Server Protocol, version 3.17, that does what its first argument says. Its framing, the
// order of initialize and initialized, and the shapes of publishDiagnostics and of full reports are those of that document.
//   push     tells diagnostics by notification, twice: syntax, then all
//   pull     answers textDocument/diagnostic
//   silent   never says anything of a file
//   dies     ends when the first file is opened
//   flood    sends a message that is too long
import { appendFileSync } from 'node:fs'

const manner = process.argv.find((word) => ['push', 'pull', 'silent', 'dies', 'flood'].includes(word)) ?? 'push'
let rest = Buffer.alloc(0)
let isReady = false
const texts = new Map()

process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk])
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/Content-Length: (\d+)/.exec(rest.toString('latin1', 0, end))[1])
    if (rest.length < end + 4 + length) return
    const message = JSON.parse(rest.toString('utf8', end + 4, end + 4 + length))
    rest = rest.subarray(end + 4 + length)
    hear(message)
  }
})
process.stdin.on('end', () => process.exit(0))

function send(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
  process.stdout.write(
    `Content-Length: ${body.length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n`,
  )
  process.stdout.write(body)
}

/** Every "bad" of a text is an error, every "poor" a warning, every "odd" a hint. */
function diagnosticsIn(text) {
  return text.split('\n').flatMap((line, at) =>
    [...line.matchAll(/bad|poor|odd/g)].map(({ 0: word, index }) => ({
      range: { start: { line: at, character: index }, end: { line: at, character: index + word.length } },
      severity: { bad: 1, poor: 2, odd: 4 }[word],
      code: 7,
      message: `${word} word\nhere`,
    })),
  )
}

function hear({ id, method, params }) {
  if (method === 'initialize') {
    const diagnosticProvider = { interFileDependencies: false, workspaceDiagnostics: false }
    // Nothing but this may be sent before the client is told.
    send({
      id,
      result: { capabilities: { textDocumentSync: 1, ...(manner === 'pull' ? { diagnosticProvider } : {}) } },
    })
  } else if (method === 'initialized') {
    isReady = true
    send({ id: 'c1', method: 'workspace/configuration', params: { items: [{ section: 'a' }, { section: 'b' }] } })
    send({ id: 'c2', method: 'client/registerCapability', params: { registrations: [] } })
    send({ id: 'c3', method: 'workspace/applyEdit', params: {} })
  } else if (!isReady && method !== 'exit') {
    send({ id, error: { code: -32002, message: 'not initialized' } })
  } else if (method === 'textDocument/didOpen' || method === 'textDocument/didChange') {
    const { uri, version } = params.textDocument
    if (method === 'textDocument/didChange' && !texts.has(uri)) process.exit(9)
    texts.set(uri, params.textDocument.text ?? params.contentChanges[0].text)
    if (manner === 'dies') process.exit(1)
    if (manner === 'flood') return process.stdout.write(`Content-Length: ${1024 ** 3}\r\n\r\n`)
    if (manner !== 'push') return
    const publish = (diagnostics, of) =>
      send({ method: 'textDocument/publishDiagnostics', params: { uri, version: of, diagnostics } })
    const found = diagnosticsIn(texts.get(uri))
    // Of the text before this one: late, and about nothing that is there now.
    publish(diagnosticsIn('bad bad bad'), version - 1)
    publish(found.slice(0, 1), version)
    setTimeout(() => publish(found, version), 50)
  } else if (method === 'textDocument/diagnostic') {
    send({ id, result: { kind: 'full', items: diagnosticsIn(texts.get(params.textDocument.uri)) } })
  } else if (method === 'shutdown') send({ id, result: null })
  else if (method === 'exit') process.exit(0)
  if (process.env.LANGUAGE_LOG !== undefined) appendFileSync(process.env.LANGUAGE_LOG, `${method}\n`)
}
