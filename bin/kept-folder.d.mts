export function compiledFolder(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): string | undefined
export function keptFolder(environment: Readonly<Record<string, string | undefined>>, home: string): string | undefined
