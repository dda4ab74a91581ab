import type { Clock } from '#shared/kernel/clock.ts'
import { type TelemetryTexts, telemetrySettings, workExporter } from '../adapters/work-exporter.ts'
import { workerRuntime } from '../adapters/worker-runtime.ts'
import type { Background, Logger, Telemetry } from '../ports/runtime.ts'

export type TelemetryBindings = Pick<Cloudflare.Env, keyof TelemetryTexts>

/** Undefined: the owner named no collector, or one that cannot be read, which the log says. */
export function telemetryOf(
  env: TelemetryBindings,
  parts: { readonly clock: Clock; readonly logger: Logger; readonly background: Background },
): Telemetry | undefined {
  const settings = telemetrySettings(env)
  if (settings === 'unreadable') parts.logger.error('telemetry_setting_unreadable')
  if (typeof settings === 'string') return undefined
  return workExporter({
    ...parts,
    settings,
    fetch: (address, init) => fetch(address, init),
    wait: workerRuntime.wait,
  })
}
