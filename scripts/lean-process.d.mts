export declare const leanNodeFlags: readonly string[]
export declare const serviceNodeFlags: readonly string[]
export declare const leanProcessVariables: Readonly<Record<string, string>>
export declare const promptNodeFlags: readonly string[]
