import { succeed } from '#shared/kernel/result.ts'
import { getHealth } from '../../contract/console-health.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

export function consoleHealthRoutes(deps: Pick<AppDeps, 'machine'>): BoundRoute[] {
  return [
    bind(getHealth, async ({ say }) => {
      const report = await deps.machine.report()
      const problems = report?.problems ?? []
      return succeed({
        body: {
          own_machine: report !== undefined,
          addresses: [...(report?.addresses ?? [])],
          problems: problems.map((reason) => ({ message: say(reason), reason })),
        },
      })
    }),
  ]
}
