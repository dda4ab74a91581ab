import { entryOf, parseJson, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { type Failure, failure } from '../core/failure.ts'
import { redactedMessage } from '../core/redaction.ts'

/** A refusal of the provider: what to tell the client and whether asking again may help. */
export interface ProviderRefusal {
  readonly failure: Failure
  readonly isRetryable: boolean
}

type Row = readonly [code: Failure['code'], isRetryable: boolean]

const rows: Readonly<Record<string, Row>> = {
  AccessDeniedException: ['unauthorized', false],
  UnrecognizedClientException: ['unauthorized', false],
  InvalidSignatureException: ['unauthorized', false],
  ExpiredTokenException: ['unauthorized', false],
  MissingAuthenticationTokenException: ['unauthorized', false],
  IncompleteSignatureException: ['unauthorized', false],
  InvalidClientTokenId: ['unauthorized', false],
  RequestExpired: ['unauthorized', false],
  RequestTimeTooSkewed: ['unauthorized', false],
  ValidationException: ['bad_request', false],
  ResourceNotFoundException: ['bad_request', false],
  ConflictException: ['bad_request', false],
  ThrottlingException: ['rate_limit_exceeded', true],
  TooManyRequestsException: ['rate_limit_exceeded', true],
  ModelNotReadyException: ['upstream_error', true],
  ServiceUnavailableException: ['upstream_error', true],
  InternalServerException: ['upstream_error', true],
  ModelTimeoutException: ['upstream_error', false],
  ModelErrorException: ['upstream_error', false],
  ModelStreamErrorException: ['upstream_error', false],
  ServiceQuotaExceededException: ['upstream_error', false],
}

/** Reads a refusal from the status, the error header and the body of an answer. */
export function readRefusal(
  status: number,
  errorHeader: string | undefined,
  bodyText: string,
  retryAfter: string | undefined,
): ProviderRefusal {
  const body = recordOf(parseJson(bodyText))
  const name = errorHeader ?? textOf(body?.['__type']) ?? ''
  const message = textOf(body?.['message']) ?? textOf(body?.['Message']) ?? ''
  return refusal(exceptionName(name), message, rowOfStatus(status), readRetryAfter(retryAfter))
}

/** The provider does not say which name it does not know, and a client may have meant another. */
export function namingModel(refused: ProviderRefusal, modelId: string): ProviderRefusal {
  const { message } = refused.failure
  if (!/model identifier is invalid/i.test(message)) return refused
  const named = `${message} The model asked for is ${modelId}; GET /models lists those there are.`
  return { ...refused, failure: { ...refused.failure, message: named } }
}

/** Reads an exception that arrived inside a stream. */
export function readStreamException(name: string, message: string): ProviderRefusal {
  return refusal(exceptionName(name), message, ['upstream_error', false], undefined)
}

function refusal(
  name: string,
  message: string,
  otherwise: Row,
  retryAfterSeconds: number | undefined,
): ProviderRefusal {
  const [code, isRetryable] = entryOf(rows, name) ?? otherwise
  // Not the identity is denied but the time it was signed at, which only the owner's clock can mend.
  if (code === 'unauthorized' && isClockFault(name, message)) {
    return { failure: failure('upstream_error', 'the clock of the gateway differs from the provider’s'), isRetryable }
  }
  const spoken = message === '' ? `the provider answered ${name === '' ? 'with an error' : name}` : message
  return {
    failure: failure(isContextLength(code, message) ? 'context_length_exceeded' : code, redactedMessage(spoken), {
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    }),
    isRetryable,
  }
}

/** Headers carry `Name:address`, bodies `namespace#Name`, streams `nameInLowerCamel`. */
function exceptionName(raw: string): string {
  const bare = raw.split(':')[0]?.split('#').at(-1) ?? ''
  return bare.charAt(0).toUpperCase() + bare.slice(1)
}

function rowOfStatus(status: number): Row {
  if (status === 401 || status === 403) return ['unauthorized', false]
  if (status === 429) return ['rate_limit_exceeded', true]
  if (status === 408 || status === 424) return ['upstream_error', false]
  if (status >= 400 && status < 500) return ['bad_request', false]
  return ['upstream_error', status === 500 || status === 502 || status === 503 || status === 504]
}

function isClockFault(name: string, message: string): boolean {
  return /^Request(?:Expired|TimeTooSkewed)$/.test(name) || /signature (?:expired|not yet current)/i.test(message)
}

function isContextLength(code: Failure['code'], message: string): boolean {
  return (
    code === 'bad_request' &&
    /too long|context (?:length|window)|exceed[a-z]* .*(?:maximum|limit).*tokens?|maximum.*tokens? .*exceed/i.test(
      message,
    )
  )
}

/** Seconds, or a date which is not honoured: the provider sends seconds. */
function readRetryAfter(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,5}$/.test(value.trim()) ? Number(value) : undefined
}
