/** How long a program holds its event loop, by the processor time of its main thread: other work on the machine does not count. */
import { readFile } from 'node:fs/promises'

const lookMs = 2

/**
 * Variables of a program that writes them, when it ends, into a file. A look that comes late tells how long it was kept from
 * coming. What is done before the program says that it listens holds nobody up.
 */
export function loopClock(file: string): Readonly<Record<string, string>> {
  const code = `
    import { writeFileSync } from 'node:fs'
    import { isMainThread } from 'node:worker_threads'
    if (isMainThread && process.argv[2] === 'serve') {
      // Asked of the whole process first, the kernel counts this thread up to now; otherwise to its last tick, 4 ms ago.
      const spent = () => { process.cpuUsage(); const { user, system } = process.threadCpuUsage(); return (user + system) / 1000 }
      const looks = []
      let before
      const write = process.stdout.write
      process.stdout.write = function (text, ...rest) {
        if (before === undefined && String(text).includes('listening on')) before = spent()
        return write.call(this, text, ...rest)
      }
      setInterval(() => {
        if (before === undefined) return
        const now = spent()
        looks.push(now - before)
        before = now
      }, ${lookMs}).unref()
      process.on('exit', () => writeFileSync(${JSON.stringify(file)}, JSON.stringify(looks)))
    }`
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` }
}

export async function readLoopClock(file: string) {
  const looks = (JSON.parse(await readFile(file, 'utf8')) as number[]).sort((left, right) => left - right)
  const quantile = (share: number) => looks[Math.min(looks.length - 1, Math.floor(looks.length * share))] ?? 0
  return { p99Ms: quantile(0.99), p999Ms: quantile(0.999), longestMs: quantile(1) }
}
