export declare const gatewayNodeFlags: readonly string[]
export declare const gatewayProcessVariables: Readonly<Record<string, string>>
