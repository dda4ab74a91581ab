export function dataFolderOf(environment: Readonly<Record<string, string | undefined>>): string
export function compiledFolderOf(dataFolder: string): string
