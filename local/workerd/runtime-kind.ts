/** What the Worker script runs on: this process, or workerd in one of its own. */
export const runtimeKinds = ['node', 'workerd'] as const
export type RuntimeKind = (typeof runtimeKinds)[number]

export const defaultRuntime: RuntimeKind = 'node'
