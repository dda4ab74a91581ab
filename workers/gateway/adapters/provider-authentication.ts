import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Failure } from '../core/failure.ts'
import type { OutgoingRequest } from '../ports.ts'
import type { CredentialSource } from './credentials.ts'
import type { RequestSigner } from './request-signer.ts'

type Unsigned = Omit<OutgoingRequest, 'signal'>

/** Puts the gateway's own identity on a request. */
export interface Authentication {
  authorise(request: Unsigned, region: string, service: string): Promise<Result<Unsigned, Failure>>
}

/** A provider API key. The only mode that needs no signature. */
export function bearerAuthentication(token: string): Authentication {
  return {
    async authorise(request) {
      return succeed({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } })
    },
  }
}

export function signedAuthentication(signer: RequestSigner, credentials: CredentialSource): Authentication {
  return {
    async authorise(request, region, service) {
      const current = await credentials.current()
      if (!current.ok) return failWith(current.failure)
      const headers = await signer.sign({ ...request, body: request.body ?? '' }, current.value, region, service)
      return succeed({ ...request, headers })
    },
  }
}
