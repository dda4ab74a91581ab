export const programs: Readonly<
  Record<
    | 'serve'
    | 'backup'
    | 'config'
    | 'gateway'
    | 'indexer'
    | 'svc'
    | 'viewer-behind-door'
    | 'code-index-process'
    | 'code-proof-process'
    | 'code-proof-worker'
    | 'code-senses-worker'
    | 'extract-process'
    | 'host-relay'
    | 'starter-process'
    | 'storage-copy-worker',
    string
  >
>
export const installationRoot: string
export const isBuilt: boolean
export const builtWorkerScript: string | undefined
export const builtCompiler: string | undefined
export function programFile(name: keyof typeof programs): string
