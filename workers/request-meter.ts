/** Counts what this process, or this isolate, has answered since its start. */
import { Histogram, type MetricFamily, metricLabels } from '#shared/http/metrics-text.ts'

/** Whose a request is: few, so that no caller can add one. */
export type RouteClass = 'app' | 'console' | 'tunnel' | 'gateway'

/** Upper ends of the classes of times, in seconds. */
const boundsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Counted {
  readonly statuses: Map<string, number>
  readonly times: Histogram
}

export class RequestMeter {
  readonly #classes = new Map<RouteClass, Counted>()

  /** Counted when the answer begins; what streams is not waited for. */
  async time<Answer extends { readonly status: number }>(route: RouteClass, answer: Promise<Answer>): Promise<Answer> {
    const startedMs = performance.now()
    try {
      const given = await answer
      this.#count(route, given.status, performance.now() - startedMs)
      return given
    } catch (cause) {
      this.#count(route, 500, performance.now() - startedMs)
      throw cause
    }
  }

  families(): MetricFamily[] {
    const each = (write: (labels: string, counted: Counted) => readonly string[]) =>
      [...this.#classes].flatMap(([route, counted]) => write(metricLabels({ route }), counted))
    return [
      {
        name: 'wharf_requests_total',
        type: 'counter',
        help: 'Requests answered since the start, by whose they are and the class of the status.',
        lines: each((labels, { statuses }) =>
          [...statuses].map(([status, count]) => `wharf_requests_total{${labels},status="${status}"} ${count}`),
        ),
      },
      {
        name: 'wharf_request_seconds',
        type: 'histogram',
        help: 'Time until an answer began.',
        lines: each((labels, { times }) => times.lines('wharf_request_seconds', labels)),
      },
    ]
  }

  #count(route: RouteClass, status: number, ms: number): void {
    let counted = this.#classes.get(route)
    if (counted === undefined) {
      counted = { statuses: new Map(), times: new Histogram(boundsSeconds) }
      this.#classes.set(route, counted)
    }
    const group = `${Math.floor(status / 100)}xx`
    counted.statuses.set(group, (counted.statuses.get(group) ?? 0) + 1)
    counted.times.observe(ms / 1_000)
  }
}
