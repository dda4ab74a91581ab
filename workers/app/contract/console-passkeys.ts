/** The console's endpoints for passkeys, and signing in by one. Options and answers have the form of Web Authentication. */
import * as z from '#shared/schema/deferred.ts'
import {
  passkeyAnswerCharactersMax,
  passkeyIdCharactersMax,
  passkeyNameCharactersMax,
  passkeySignatureCharactersMax,
} from '../limits.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'

const done = z.object({ ok: z.literal(true) })
const base64Url = (charactersMax: number) =>
  z
    .string()
    .min(1)
    .max(charactersMax)
    .regex(/^[A-Za-z0-9_-]+$/)

const wirePasskey = z.object({
  id: z.string(),
  name: z.string(),
  /** The host it works at. */
  host: z.string(),
  /** The authenticator keeps copies of it elsewhere. */
  synced: z.boolean(),
  created_at: z.int(),
  last_used_at: z.int().optional(),
})
export type WirePasskey = z.infer<typeof wirePasskey>

export const listPasskeys = declareRoute('session', 'get', '/passkeys', {
  operationId: 'listPasskeys',
  summary: '通行密钥',
  answers: { 200: z.object({ items: z.array(wirePasskey) }) },
})

const descriptor = z.object({ type: z.literal('public-key'), id: z.string() })

/** For `navigator.credentials.create`. */
const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type WirePasskeyCreation = z.infer<typeof creationOptions>

/** 400 `invalid_argument`: there are as many as may be, or the page is open under an address without a name. */
export const beginPasskey = declareRoute('session', 'post', '/passkeys/options', {
  operationId: 'beginPasskey',
  isTrial: true,
  summary: '准备添加通行密钥',
  body: emptyBody,
  answers: { 200: creationOptions },
})

const passkeyName = z.string().trim().min(1).max(passkeyNameCharactersMax)

const attested = z.strictObject({
  id: base64Url(passkeyIdCharactersMax),
  response: z.strictObject({
    clientDataJSON: base64Url(passkeyAnswerCharactersMax),
    attestationObject: base64Url(passkeyAnswerCharactersMax),
  }),
})
export type AttestedPasskey = z.output<typeof attested>

/** 403 `forbidden`: what the browser answered does not hold. */
export const addPasskey = declareRoute('session', 'post', '/passkeys', {
  operationId: 'addPasskey',
  summary: '添加通行密钥',
  body: z.strictObject({ name: passkeyName, credential: attested }),
  answers: { 200: wirePasskey },
  failures: ['forbidden'],
})

const passkeyId = z.object({ id: base64Url(passkeyIdCharactersMax) })

export const renamePasskey = declareRoute('session', 'put', '/passkeys/{id}', {
  operationId: 'renamePasskey',
  summary: '修改通行密钥的名称',
  params: passkeyId,
  body: z.strictObject({ name: passkeyName }),
  answers: { 200: wirePasskey },
})

export const removePasskey = declareRoute('session', 'delete', '/passkeys/{id}', {
  operationId: 'removePasskey',
  summary: '删除通行密钥',
  params: passkeyId,
  body: emptyBody,
  answers: { 200: done },
})

/** For `navigator.credentials.get`. It names no passkey: the authenticator knows which it has. */
const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
})
export type WirePasskeyRequest = z.infer<typeof requestOptions>

/** 403 `forbidden`: no passkey works at this address. */
export const beginPasskeySignIn = declareRoute('public', 'post', '/sign-in/passkey/options', {
  operationId: 'beginPasskeySignIn',
  summary: '准备用通行密钥登录',
  body: emptyBody,
  answers: { 200: requestOptions },
  failures: ['forbidden'],
})

const asserted = z.strictObject({
  id: base64Url(passkeyIdCharactersMax),
  response: z.strictObject({
    clientDataJSON: base64Url(passkeyAnswerCharactersMax),
    authenticatorData: base64Url(passkeySignatureCharactersMax),
    signature: base64Url(passkeySignatureCharactersMax),
    userHandle: base64Url(passkeySignatureCharactersMax).optional(),
  }),
})
export type AssertedPasskey = z.output<typeof asserted>

/** 403 `forbidden`, with the same words whatever is wrong. */
export const signInByPasskey = declareRoute('public', 'post', '/sign-in/passkey', {
  operationId: 'signInByPasskey',
  summary: '用通行密钥登录',
  body: z.strictObject({ credential: asserted }),
  answers: { 200: done },
  failures: ['forbidden'],
})

export const consolePasskeyDeclarations: readonly RouteDeclaration[] = [
  listPasskeys,
  beginPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  beginPasskeySignIn,
  signInByPasskey,
]
