import { spawn } from 'node:child_process'
import path from 'node:path'

const entry = path.join(import.meta.dirname, '../../local/indexer.ts')

/** The viewer as a person starts it; `fileBlocksMax`: with no more than so many blocks of 512 bytes left for a file. */
export async function startViewerCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  fileBlocksMax?: number,
): Promise<{ address: string; stop: () => Promise<void> }> {
  const command = [process.execPath, entry, 'ui', '--no-open', ...words]
  const limited = ['-c', `ulimit -f ${fileBlocksMax}; exec "$@"`, 'sh', ...command]
  const [program = '', ...rest] = fileBlocksMax === undefined ? command : ['sh', ...limited]
  const child = spawn(program, rest, {
    env: { ...process.env, VIEWER_UI: '1', VIEWER_NO_PROVE: '1', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  let text = ''
  for await (const chunk of child.stdout) {
    text += String(chunk)
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
    if (address !== undefined) return { address, stop }
  }
  throw new Error(`the viewer did not start: ${text}`)
}
