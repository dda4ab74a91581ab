export function compiledFolder(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): string | undefined
