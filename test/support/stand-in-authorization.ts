/**
 * An authorization server as strict as what it stands for: OAuth 2.1 (draft 13) with PKCE by S256 alone (RFC 7636), metadata
 * (RFC 8414), dynamic registration (RFC 7591), resource indicators (RFC 8707), the issuer in its answers (RFC 9207),
 * revocation (RFC 7009) and tokens for renewal that are good once. What a real one would refuse is refused here, in its words.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { endServer, listenToKept } from './loopback.ts'

interface Client {
  readonly id: string
  readonly redirects: readonly string[]
}
interface Grant {
  readonly client: string
  readonly redirect: string
  readonly challenge: string
  readonly resource: string
  readonly scope: string
}
interface Token {
  readonly kind: 'access' | 'renewal'
  readonly client: string
  readonly resource: string
  readonly scope: string
  readonly family: string
}

export interface AuthorizationOptions {
  /** The one resource for which it gives tokens. */
  readonly resource: () => string
  readonly scopes?: readonly string[]
  /** Takes no clients that it does not know; then this one is known, with any port of the loopback. */
  readonly knownClient?: string
  /** What the owner does with the page: agrees, or says no. */
  readonly denies?: boolean
  /** Names another issuer in its answers. */
  readonly answersAs?: string
  /** Its metadata name another place for the tokens. */
  readonly tokenEndpoint?: string
  /** Names what it gives in its answer, as RFC 6749 has it where it differs from what was asked. */
  readonly grantsScope?: string
}

export async function startStandInAuthorization(options: AuthorizationOptions) {
  const clients = new Map<string, Client>()
  if (options.knownClient !== undefined) clients.set(options.knownClient, { id: options.knownClient, redirects: [] })
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, Token>()
  const asked: string[] = []
  const scopesAsked: (string | undefined)[] = []
  let isDown = false
  let issuer = ''
  const random = (): string => randomBytes(18).toString('base64url')

  class Refusal extends Error {
    readonly code: string
    readonly status: number
    constructor(code: string, why: string, status = 400) {
      super(why)
      this.code = code
      this.status = status
    }
  }
  const must = (isSo: boolean, code: string, why: string): void => {
    if (!isSo) throw new Refusal(code, why)
  }
  const single = (params: URLSearchParams, name: string): string => {
    const all = params.getAll(name)
    must(all.length === 1 && all[0] !== '', 'invalid_request', `${name} is needed once`)
    return all[0] as string
  }

  function register(body: Record<string, unknown>): unknown {
    must(options.knownClient === undefined, 'invalid_client_metadata', 'registration is closed')
    const redirects = body['redirect_uris']
    must(
      Array.isArray(redirects) &&
        redirects.length > 0 &&
        redirects.every((one) => /^http:\/\/127\.0\.0\.1:\d+\//.test(one)),
      'invalid_redirect_uri',
      'redirect_uris must be of the loopback',
    )
    must(body['token_endpoint_auth_method'] === 'none', 'invalid_client_metadata', 'clients here are public')
    const client = { id: random(), redirects: redirects as string[] }
    clients.set(client.id, client)
    return { ...body, client_id: client.id, client_id_issued_at: 0 }
  }

  function authorize(params: URLSearchParams): string {
    const client = clients.get(single(params, 'client_id'))
    if (client === undefined) throw new Refusal('invalid_request', 'unknown client')
    const redirect = single(params, 'redirect_uri')
    const isKnown = client.redirects.includes(redirect) || client.id === options.knownClient
    must(isKnown, 'invalid_request', 'the redirect was not registered')
    must(single(params, 'response_type') === 'code', 'unsupported_response_type', 'only code')
    must(single(params, 'code_challenge_method') === 'S256', 'invalid_request', 'only S256')
    const challenge = single(params, 'code_challenge')
    must(/^[\w-]{43}$/.test(challenge), 'invalid_request', 'no challenge of S256')
    const resource = single(params, 'resource')
    must(resource === options.resource(), 'invalid_target', 'not a resource of this server')
    const scope = params.get('scope') ?? ''
    scopesAsked.push(params.get('scope') ?? undefined)
    const back = new URL(redirect)
    back.searchParams.set('state', single(params, 'state'))
    back.searchParams.set('iss', options.answersAs ?? issuer)
    if (options.denies === true) {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'The owner said no')
      return back.href
    }
    const code = random()
    codes.set(code, { client: client.id, redirect, challenge, resource, scope })
    back.searchParams.set('code', code)
    return back.href
  }

  function give(grant: Omit<Token, 'kind'>): unknown {
    const access = random()
    const renewal = random()
    tokens.set(access, { ...grant, kind: 'access' })
    tokens.set(renewal, { ...grant, kind: 'renewal' })
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: renewal,
      ...(grant.scope === '' ? {} : { scope: options.grantsScope ?? grant.scope }),
    }
  }

  function token(params: URLSearchParams): unknown {
    const client = clients.get(single(params, 'client_id'))
    if (client === undefined) throw new Refusal('invalid_client', 'unknown client', 401)
    const kind = single(params, 'grant_type')
    const resource = single(params, 'resource')
    must(resource === options.resource(), 'invalid_target', 'not a resource of this server')
    if (kind === 'refresh_token') {
      const given = single(params, 'refresh_token')
      const known = tokens.get(given)
      // One that was used before was stolen from somebody: all that came of it ends.
      if (known === undefined) throw new Refusal('invalid_grant', 'unknown token')
      must(known.kind === 'renewal' && known.client === client.id, 'invalid_grant', 'another client')
      tokens.delete(given)
      const { kind: _, ...grant } = known
      return give(grant)
    }
    must(kind === 'authorization_code', 'unsupported_grant_type', 'only codes and renewals')
    const code = single(params, 'code')
    const grant = codes.get(code)
    codes.delete(code)
    if (grant === undefined) throw new Refusal('invalid_grant', 'the code is unknown or used up')
    must(grant.client === client.id, 'invalid_grant', 'another client')
    must(grant.redirect === single(params, 'redirect_uri'), 'invalid_grant', 'another redirect')
    const verifier = single(params, 'code_verifier')
    const isRight = createHash('sha256').update(verifier).digest('base64url') === grant.challenge
    must(isRight, 'invalid_grant', 'the verifier does not fit')
    return give({ client: client.id, resource, scope: grant.scope, family: random() })
  }

  async function bodyOf(request: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString('utf8')
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    asked.push(`${request.method} ${url.pathname}`)
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      response.end(JSON.stringify(body))
    }
    if (isDown) return void response.writeHead(503).end('down')
    const isForm = /^application\/x-www-form-urlencoded(?:;|$)/.test(request.headers['content-type'] ?? '')
    try {
      switch (`${request.method} ${url.pathname}`) {
        case 'GET /.well-known/oauth-authorization-server':
          return answer(200, {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: options.tokenEndpoint ?? `${issuer}/token`,
            ...(options.knownClient === undefined ? { registration_endpoint: `${issuer}/register` } : {}),
            revocation_endpoint: `${issuer}/revoke`,
            response_types_supported: ['code'],
            grant_types_supported: ['authorization_code', 'refresh_token'],
            code_challenge_methods_supported: ['S256'],
            token_endpoint_auth_methods_supported: ['none'],
            authorization_response_iss_parameter_supported: true,
            ...(options.scopes === undefined ? {} : { scopes_supported: options.scopes }),
          })
        case 'POST /register':
          return answer(201, register(JSON.parse(await bodyOf(request))))
        case 'GET /authorize':
          return void response.writeHead(302, { location: authorize(url.searchParams) }).end()
        case 'POST /token':
          must(isForm, 'invalid_request', 'a form is needed')
          return answer(200, token(new URLSearchParams(await bodyOf(request))))
        case 'POST /revoke': {
          must(isForm, 'invalid_request', 'a form is needed')
          const known = tokens.get(single(new URLSearchParams(await bodyOf(request)), 'token'))
          for (const [text, one] of tokens) if (one.family === known?.family) tokens.delete(text)
          return answer(200, {})
        }
        default:
          return void response.writeHead(404).end()
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      answer(error.status, { error: error.code, error_description: error.message })
    }
  }

  const server = createServer((request, response) => void serve(request, response))
  const { port } = await listenToKept(server)
  issuer = `http://127.0.0.1:${port}`
  return {
    issuer,
    asked,
    scopesAsked,
    clients: () => clients.size,
    tokens: () => [...tokens.keys()],
    /** Whether a request may use the resource. */
    accepts(sent: string | undefined): boolean {
      const known = tokens.get(/^Bearer (\S+)$/.exec(sent ?? '')?.[1] ?? '')
      return known?.kind === 'access' && known.resource === options.resource()
    },
    /** Ends what was given for use; renewals stay. */
    expire() {
      for (const [text, { kind }] of tokens) if (kind === 'access') tokens.delete(text)
    },
    revokeAll: () => tokens.clear(),
    setDown(isSo: boolean) {
      isDown = isSo
    },
    close: () => endServer(server),
  }
}
