/** Where a client's own trace stands when it asks. */
export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
}

/** Reads the header `traceparent` of W3C Trace Context, of the first version and later ones that begin alike. */
export function readTraceParent(header: string | undefined): TraceParent | undefined {
  const [, version, traceId, spanId, rest] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(header?.trim() ?? '') ?? []
  if (traceId === undefined || spanId === undefined || version === 'ff') return undefined
  if (version === '00' && rest !== undefined) return undefined
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? undefined : { traceId, spanId }
}
