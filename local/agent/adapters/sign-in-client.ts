/**
 * The client's side of a sign-in at a tool server: its metadata is read, this program is registered, the owner's browser is
 * sent there with a challenge, what comes back becomes tokens, and those are renewed until they are taken back.
 */
import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import type {
  AuthProvider,
  FetchLike,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { RemoteServerConfiguration } from '../contract/configuration.ts'
import { openablePageOf } from '../core/openable-page.ts'
import { providerWords } from '../core/provider-words.ts'
import type { SignInFault } from '../core/sign-in-fault.ts'
import type { BegunSignIn, SignInServer, ToolSignInPort } from '../runtime/tool-sign-ins.ts'
import { guardSignIn } from './sign-in-guard.ts'
import type { SignInVault } from './sign-in-vault.ts'

/** A tool server that the owner has to sign in at before it can be used. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded'
}

interface StoredSignIn {
  readonly client: StoredOAuthClientInformation
  readonly tokens: StoredOAuthTokens | undefined
  readonly redirectUrl: string
  readonly discovery: Pick<OAuthDiscoveryState, 'authorizationServerUrl' | 'authorizationServerMetadata'>
  readonly resource: string | undefined
  /** More than was granted, as the server asked for it since. */
  readonly wanted?: string
}

type Library = typeof import('@modelcontextprotocol/client')
const loadLibrary = (): Promise<Library> => import('@modelcontextprotocol/client')

export interface SignInClientOptions {
  readonly vault: SignInVault
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
}

export class SignInClient implements ToolSignInPort {
  readonly #vault: SignInVault
  readonly #resolve: (hostname: string) => Promise<readonly string[]>
  readonly #renewals = new Map<string, Promise<void>>()

  constructor({ vault, resolve }: SignInClientOptions) {
    this.#vault = vault
    this.#resolve = resolve ?? (async (name) => (await lookup(name, { all: true })).map((entry) => entry.address))
  }

  isSignedIn(server: SignInServer): boolean {
    return this.#read(server)?.tokens !== undefined
  }

  /** The port that was registered the last time, which a sign-in that takes one address alone wants again. */
  portOf(server: SignInServer): number | undefined {
    const stored = this.#read(server)
    return stored === undefined ? undefined : Number(new URL(stored.redirectUrl).port)
  }

  async begin(server: SignInServer, redirectUrl: string): Promise<Result<BegunSignIn, SignInFault>> {
    const library = await loadLibrary()
    const guard = this.#guarded(server.configuration.url)
    const challenge = await askWhatIsWanted(library, server.configuration, guard.fetch)
    if (!challenge.ok) return challenge
    const stored = this.#read(server)
    const state = randomBytes(24).toString('base64url')
    const flow = new BrowserFlow(server.configuration, redirectUrl, state, stored)
    const options = { serverUrl: server.configuration.url, fetchFn: guard.fetch }
    const scope = library.computeScopeUnion(
      server.configuration.oauth?.scope,
      challenge.value.scope,
      stored?.tokens?.scope,
      stored?.wanted,
    )
    try {
      await library.auth(flow, {
        ...options,
        ...(scope === undefined ? {} : { scope }),
        ...(challenge.value.metadata === undefined ? {} : { resourceMetadataUrl: challenge.value.metadata }),
      })
    } catch (error) {
      return failWith(faultOf(library, error, guard.blocked(), server.configuration.url))
    }
    const { address } = flow
    if (address === undefined || openablePageOf(address.href) === undefined) return failWith({ kind: 'unusable' })
    return succeed({
      address: address.href,
      state,
      finish: async (answer) => {
        const error = answer.get('error')
        const authorizationCode = answer.get('code')
        const iss = answer.get('iss') ?? undefined
        const refused = error === null ? undefined : wordsOf(answer.get('error_description') ?? error)
        const metadata = flow.discovery?.authorizationServerMetadata
        // Who answers is looked at before anything that he says.
        try {
          library.validateAuthorizationResponseIssuer({
            iss,
            expectedIssuer: metadata?.issuer,
            issParameterSupported: metadata?.['authorization_response_iss_parameter_supported'] === true,
          })
        } catch {
          return failWith({ kind: 'wrong_answer' })
        }
        if (refused !== undefined) return failWith({ kind: 'refused', words: refused })
        if (authorizationCode === null) return failWith({ kind: 'wrong_answer' })
        try {
          await library.auth(flow, { ...options, authorizationCode, ...(iss === undefined ? {} : { iss }) })
        } catch (cause) {
          return failWith(faultOf(library, cause, guard.blocked(), server.configuration.url))
        }
        const kept = flow.kept()
        return kept === undefined ? failWith({ kind: 'unusable' }) : this.#write(server, kept)
      },
    })
  }

  /** What a connection is given: the token of the day, renewed when it is refused. */
  authFor(server: SignInServer): AuthProvider {
    let given: string | undefined
    return {
      token: async () => {
        given = this.#read(server)?.tokens?.access_token
        return given
      },
      onUnauthorized: async () => {
        // Another connection may have renewed it since.
        if (given === undefined || this.#read(server)?.tokens?.access_token === given) await this.#renewOnce(server)
      },
    }
  }

  /** The server asks for more than was granted: the next sign-in asks for both. */
  noteWanted(server: SignInServer, scope: string | undefined): void {
    const stored = this.#read(server)
    if (stored !== undefined && scope !== undefined) this.#write(server, { ...stored, wanted: scope })
  }

  /** Here at once; where it was given when that can be reached. */
  async forget(server: SignInServer): Promise<void> {
    const stored = this.#read(server)
    this.#vault.remove(nameOf(server))
    const metadata = stored?.discovery.authorizationServerMetadata
    const endpoint =
      metadata !== undefined && 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined
    const token = stored?.tokens?.refresh_token ?? stored?.tokens?.access_token
    if (typeof endpoint !== 'string' || token === undefined || stored === undefined) return
    const { client_id, client_secret } = stored.client
    const body = new URLSearchParams({ token, client_id, ...(client_secret === undefined ? {} : { client_secret }) })
    await this.#guarded(server.configuration.url)
      .fetch(endpoint, { method: 'POST', body })
      .catch(() => undefined)
  }

  /** One at a time: a token for renewal is often good once only. */
  #renewOnce(server: SignInServer): Promise<void> {
    const name = nameOf(server)
    const running = this.#renewals.get(name) ?? this.#renew(server).finally(() => this.#renewals.delete(name))
    this.#renewals.set(name, running)
    return running
  }

  async #renew(server: SignInServer): Promise<void> {
    const stored = this.#read(server)
    const refreshToken = stored?.tokens?.refresh_token
    if (stored === undefined || refreshToken === undefined) throw new SignInNeeded()
    const library = await loadLibrary()
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = stored.discovery
    const guard = this.#guarded(server.configuration.url)
    try {
      const tokens = await library.refreshAuthorization(authorizationServerUrl, {
        refreshToken,
        clientInformation: stored.client,
        fetchFn: guard.fetch,
        ...(metadata === undefined ? {} : { metadata }),
        ...(stored.resource === undefined ? {} : { resource: stored.resource }),
      })
      this.#write(server, { ...stored, tokens: { scope: stored.tokens?.scope, ...tokens } as StoredOAuthTokens })
    } catch (error) {
      // One that cannot be reached now may answer later; one that said no will say it again.
      if (!(error instanceof library.OAuthError) || error.code === library.OAuthErrorCode.ServerError)
        throw new TypeError('the sign-in cannot be reached', { cause: error })
      this.#write(server, { ...stored, tokens: undefined })
      throw new SignInNeeded()
    }
  }

  #read(server: SignInServer): StoredSignIn | undefined {
    const text = this.#vault.read(nameOf(server))
    return text === undefined ? undefined : (JSON.parse(text) as StoredSignIn)
  }

  #write(server: SignInServer, stored: StoredSignIn): Result<void, SignInFault> {
    const written = this.#vault.write(nameOf(server), JSON.stringify(stored))
    return written.ok ? written : failWith({ kind: 'unkept', fault: written.failure })
  }

  #guarded(serverUrl: string) {
    return guardSignIn(new URL(serverUrl), this.#resolve)
  }
}

/** One sign-in of a browser, from the challenge to the tokens: what is not kept ends with it. */
class BrowserFlow implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly #state: string
  readonly #scope: string | undefined
  #client: StoredOAuthClientInformation | undefined
  #tokens: StoredOAuthTokens | undefined
  #verifier = ''
  discovery: OAuthDiscoveryState | undefined
  address: URL | undefined

  constructor(
    { oauth }: RemoteServerConfiguration,
    redirectUrl: string,
    state: string,
    stored: StoredSignIn | undefined,
  ) {
    this.redirectUrl = redirectUrl
    this.#state = state
    this.#scope = oauth?.scope
    if (oauth?.client_id !== undefined)
      this.#client = {
        client_id: oauth.client_id,
        ...(oauth.client_secret === undefined ? {} : { client_secret: oauth.client_secret }),
      }
    // A registration is for one address to lead back to.
    else if (stored?.redirectUrl === redirectUrl) this.#client = stored.client
  }

  get clientMetadata() {
    return {
      client_name: 'Wharf agent',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(this.#scope === undefined ? {} : { scope: this.#scope }),
    }
  }

  state = (): string => this.#state
  clientInformation = (): StoredOAuthClientInformation | undefined => this.#client
  saveClientInformation = (client: StoredOAuthClientInformation): void => {
    this.#client = client
  }
  tokens = (): undefined => undefined
  saveTokens = (tokens: StoredOAuthTokens): void => {
    this.#tokens = tokens
  }
  redirectToAuthorization = (address: URL): void => {
    this.address = address
  }
  saveCodeVerifier = (verifier: string): void => {
    this.#verifier = verifier
  }
  codeVerifier = (): string => this.#verifier
  discoveryState = (): OAuthDiscoveryState | undefined => this.discovery
  saveDiscoveryState = (discovery: OAuthDiscoveryState): void => {
    this.discovery = discovery
  }
  invalidateCredentials = (scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void => {
    if (scope === 'all' || scope === 'client') this.#client = undefined
  }

  kept(): StoredSignIn | undefined {
    if (this.#client === undefined || this.#tokens === undefined || this.discovery === undefined) return undefined
    const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = this.discovery
    return {
      client: this.#client,
      tokens: this.#tokens,
      redirectUrl: this.redirectUrl,
      discovery: {
        authorizationServerUrl,
        ...(authorizationServerMetadata === undefined ? {} : { authorizationServerMetadata }),
      },
      resource: resourceMetadata?.resource,
    }
  }
}

/** Sends what a connection begins with, for the challenge in the refusal: it says where the sign-in is, and what for. */
async function askWhatIsWanted(
  library: Library,
  { url, headers }: RemoteServerConfiguration,
  ask: FetchLike,
): Promise<Result<{ readonly metadata: URL | undefined; readonly scope: string | undefined }, SignInFault>> {
  try {
    const answer = await ask(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' }),
    })
    await answer.body?.cancel()
    if (answer.status !== 401) return failWith({ kind: 'not_asked' })
    const { resourceMetadataUrl, scope } = library.extractWWWAuthenticateParams(answer)
    return succeed({ metadata: resourceMetadataUrl, scope })
  } catch {
    return failWith({ kind: 'unreachable', host: new URL(url).host })
  }
}

function faultOf(library: Library, error: unknown, blocked: string | undefined, serverUrl: string): SignInFault {
  if (blocked !== undefined) return { kind: 'guarded', host: blocked }
  if (error instanceof library.InsecureTokenEndpointError)
    return { kind: 'guarded', host: new URL(error.tokenEndpoint).host }
  if (error instanceof library.RegistrationRejectedError) return { kind: 'no_registration' }
  if (error instanceof library.OAuthError && error.code !== library.OAuthErrorCode.ServerError)
    return { kind: 'refused', words: wordsOf(error.message === '' ? String(error.code) : error.message) }
  if (error instanceof TypeError || error instanceof DOMException)
    return { kind: 'unreachable', host: new URL(serverUrl).host }
  if (error instanceof Error && /dynamic client registration/i.test(error.message)) return { kind: 'no_registration' }
  return { kind: 'unusable' }
}

function wordsOf(message: string): string {
  return providerWords({ message }, []) ?? 'without a reason'
}

/** The same server under another name, or another one under the same name, is another sign-in. */
function nameOf({ name, configuration }: SignInServer): string {
  return JSON.stringify([name, configuration.url, configuration.oauth?.client_id ?? null])
}
