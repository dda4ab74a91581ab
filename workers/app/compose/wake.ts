import type { SchedulerHost } from '../objects/scheduler-object.ts'

/** Makes the scheduler look at its list now. */
export function wakeOf(env: Pick<Cloudflare.Env, 'SCHEDULER'>): () => Promise<void> {
  // The generated types know the object's class by name only.
  const schedulers = env.SCHEDULER as DurableObjectNamespace<SchedulerHost>
  return async () => await schedulers.get(schedulers.idFromName('scheduler')).wake()
}
