/** Figures in the text form of Prometheus (exposition format 0.0.4). */

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** One name, with a line for each of its figures. */
export interface MetricFamily {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly lines: readonly string[]
}

export function metricsText(families: readonly MetricFamily[]): string {
  return families
    .filter(({ lines }) => lines.length > 0)
    .map(({ name, type, help, lines }) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`)
    .join('')
}

/** `a="1",b="2"`; a value may be anything. */
export function metricLabels(labels: Readonly<Record<string, string | number>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(',')
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0
  #count = 0

  /** Upper ends of its classes, rising. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = bounds.map(() => 0)
  }

  observe(value: number): void {
    const index = this.#bounds.findIndex((bound) => value <= bound)
    if (index >= 0) this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.#sum += value
    this.#count += 1
  }

  lines(name: string, labels: string): string[] {
    let below = 0
    const buckets = this.#bounds.map((bound, index) => {
      below += this.#counts[index] ?? 0
      return `${name}_bucket{${labels},le="${bound}"} ${below}`
    })
    return [
      ...buckets,
      `${name}_bucket{${labels},le="+Inf"} ${this.#count}`,
      `${name}_sum{${labels}} ${this.#sum}`,
      `${name}_count{${labels}} ${this.#count}`,
    ]
  }
}
