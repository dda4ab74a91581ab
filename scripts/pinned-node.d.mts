export const root: string
export function refuse(line: string): never
export function pinnedNode(): string
export function hasItsLibrary(platform: string, architecture: string, exists?: (file: string) => boolean): boolean
