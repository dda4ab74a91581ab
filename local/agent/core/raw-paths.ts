/** Paths that are judged before routing; apart from the schemas, without which whoever stands in front of the server starts. */
export const browserAuthPath = '/auth/browser'
export const terminalSocketPath = '/api/pty/{ptyID}/connect'
