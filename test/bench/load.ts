/** A small load generator over kept connections, and a sampler of what a tree of processes holds in memory. */
import { readdirSync, readFileSync } from 'node:fs'
import { KeptConnection, type PlainRequest, requestBytes } from '../support/kept-connection.ts'

export interface LoadOptions extends PlainRequest {
  readonly connections: number
  readonly seconds: number
}

export interface LoadResult {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly bodyBytes: number
  /** How many answers had each status; 0 counts requests that got none. */
  readonly byStatus: Readonly<Record<string, number>>
}

/** Each connection sends its next request when the answer to the last one is complete. */
export async function generateLoad(options: LoadOptions): Promise<LoadResult> {
  const url = new URL(options.url)
  const request = requestBytes(options)
  const durationsMs: number[] = []
  const byStatus: Record<string, number> = {}
  let bodyBytes = 0
  const started = performance.now()
  const deadline = started + options.seconds * 1000
  const runConnection = async (): Promise<void> => {
    const connection = new KeptConnection(url)
    while (performance.now() < deadline) {
      const answer = await connection.ask(request)
      durationsMs.push(answer.totalMs)
      bodyBytes += answer.bodyBytes
      byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: options.connections }, runConnection))
  const elapsedSeconds = (performance.now() - started) / 1000
  return {
    requests: durationsMs.length,
    requestsPerSecond: durationsMs.length / elapsedSeconds,
    p50Ms: quantile(durationsMs, 0.5),
    p99Ms: quantile(durationsMs, 0.99),
    maxMs: quantile(durationsMs, 1),
    bodyBytes,
    byStatus,
  }
}

/** 0 when there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function printLoad(name: string, result: LoadResult): string {
  const statuses = Object.entries(result.byStatus).map(([status, count]) => `${status}: ${count}`)
  return (
    `${name}: ${Math.round(result.requestsPerSecond)} req/s, p50 ${result.p50Ms.toFixed(2)} ms, ` +
    `p99 ${result.p99Ms.toFixed(2)} ms, max ${result.maxMs.toFixed(1)} ms (${statuses.join(', ')})`
  )
}

/** Resident memory of a process and everything below it, in MiB, by program name. */
export function residentMebibytes(rootPid: number): {
  readonly total: number
  readonly byName: Record<string, number>
} {
  const byName: Record<string, number> = {}
  for (const pid of processesBelow(rootPid)) {
    const name = statusField(pid, 'Name') ?? 'gone'
    const kibibytes = Number((statusField(pid, 'VmRSS') ?? '0').split(' ')[0])
    byName[name] = (byName[name] ?? 0) + kibibytes / 1024
  }
  return { total: Object.values(byName).reduce((sum, one) => sum + one, 0), byName }
}

/** What a process and everything below it have computed since they began, on all cores. Waiting does not count. */
export function processorMs(rootPid: number): number {
  let ticks = 0
  for (const pid of processesBelow(rootPid)) {
    // The name, in parentheses, may hold anything: fields are counted after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks * msPerTick
}

/** The kernel counts for us in hundredths of a second. */
const msPerTick = 10

function processesBelow(rootPid: number): number[] {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
    const parent = statusField(Number(entry), 'PPid')
    if (parent !== undefined) parents.set(Number(entry), Number(parent))
  }
  const isBelow = (pid: number): boolean => {
    for (let current: number | undefined = pid; current !== undefined && current > 1; current = parents.get(current)) {
      if (current === rootPid) return true
    }
    return false
  }
  return [...parents.keys()].filter(isBelow)
}

function statusField(pid: number, field: string): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/status`, 'utf8')
      .split('\n')
      .find((one) => one.startsWith(`${field}:`))
    return line?.slice(field.length + 1).trim()
  } catch {
    return undefined
  }
}
