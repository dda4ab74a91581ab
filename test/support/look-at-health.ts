/**
 * Asks a server for its health every 2 ms, as a process of its own: what another client waits for is the server's then, and not that
 * of a process that is the model and reads the answers as well. Ends with its standard input, and prints the slowest look in milliseconds.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { KeptConnection, requestBytes } from './kept-connection.ts'

const lookMs = 2
const address = process.argv[2] ?? ''
const url = `${address}/api/health`
const connection = new KeptConnection(new URL(url))
const request = requestBytes({ url })
let isOver = false
process.stdin.on('end', () => {
  isOver = true
})
process.stdin.resume()
let slowestMs = 0
for (let looks = 0; !isOver; looks += 1) {
  const { status, totalMs } = await connection.ask(request)
  if (status !== 200) throw new Error(`health answered with status ${status}`)
  // The first look opens the connection.
  if (looks > 0) slowestMs = Math.max(slowestMs, totalMs)
  if (looks === 1) process.stdout.write('looking\n')
  await delay(lookMs)
}
connection.close()
process.stdout.write(`${slowestMs}\n`)
