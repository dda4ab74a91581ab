/**
 * A bucket that speaks the S3 interface (Amazon S3 API Reference, API version 2006-03-01, path-style addresses), as strict as
 * the real one where the caller may be wrong: the signature is made again by Amazon's own package (@smithy/signature-v4, with
 * single encoding as S3 has it) over the headers that were signed, the body is held against its signed digest, a clock may be
 * 15 minutes off, parts but the last are 5 MiB at least (`partBytesMin` lets a test have smaller ones), and parts are named in
 * their order with their tags.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { SignatureV4 } from '@smithy/signature-v4'
import { endServer, listenToKept } from './loopback.ts'
import { SmithyHash } from './smithy-hash.ts'

const skewMsMax = 15 * 60 * 1000
const partBytesMin = 5 * 1024 ** 2
const partsMax = 10_000

export interface BucketStandIn {
  /** With the bucket, without a slash at its end. */
  readonly address: string
  readonly objects: Map<string, Buffer>
  /** Uploads in parts that were begun and neither ended nor given up. */
  readonly uploads: Map<string, Map<number, Buffer>>
  /** `PUT name` for each request that was let in. */
  readonly asked: string[]
  /** The next requests are answered so, before anything is looked at; `break` breaks the connection. */
  readonly faults: (number | 'break')[]
  pageKeys: number
  close(): Promise<void>
}

export interface BucketStandInOptions {
  readonly bucket: string
  readonly region: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly partBytesMin?: number
}

class Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

export async function startBucketStandIn(options: BucketStandInOptions): Promise<BucketStandIn> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const keys = new Map<string, string>()
  const asked: string[] = []
  const faults: BucketStandIn['faults'] = []
  const server = createServer((request, response) => {
    void request.toArray().then(async (pieces) => {
      const fault = faults.shift()
      if (fault === 'break') return request.socket.destroy()
      if (fault !== undefined) return refuse(response, new Refusal(fault, 'SlowDown'))
      try {
        await answer(request, Buffer.concat(pieces), response)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refuse(response, error)
      }
    })
  })
  const { port } = await listenToKept(server)

  async function answer(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`)
    await judge(request, url, body)
    const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/')
    if (bucket !== options.bucket) throw new Refusal(404, 'NoSuchBucket')
    const key = rest.join('/')
    const query = Object.fromEntries(url.searchParams)
    asked.push(`${request.method} ${key}`)
    const done = (status: number, text: string | Buffer = '', headers: Record<string, string> = {}) =>
      void response.writeHead(status, headers).end(text)
    const tagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`
    const { uploadId } = query
    const upload = uploadId === undefined ? undefined : uploads.get(uploadId)
    if (uploadId !== undefined && (upload === undefined || keys.get(uploadId) !== key))
      throw new Refusal(404, 'NoSuchUpload')
    switch (`${request.method}${key === '' ? '' : ' key'}`) {
      case 'GET':
        return done(200, listed(query, objects, standIn.pageKeys))
      case 'GET key': {
        const object = objects.get(key)
        if (object === undefined) throw new Refusal(404, 'NoSuchKey')
        return done(200, object, { etag: tagOf(object) })
      }
      case 'PUT key': {
        if (upload === undefined) {
          objects.set(key, body)
          return done(200, '', { etag: tagOf(body) })
        }
        const number = Number(query['partNumber'])
        if (!Number.isInteger(number) || number < 1 || number > partsMax) throw new Refusal(400, 'InvalidArgument')
        upload.set(number, body)
        return done(200, '', { etag: tagOf(body) })
      }
      case 'POST key': {
        if (query['uploads'] !== undefined) {
          const id = `u+${uploads.size + 1}/=${createHash('md5').update(key).digest('base64')}`
          uploads.set(id, new Map())
          keys.set(id, key)
          return done(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
        }
        if (upload === undefined || uploadId === undefined) throw new Refusal(400, 'InvalidRequest')
        objects.set(key, assembled(body.toString(), upload, options.partBytesMin ?? partBytesMin, tagOf))
        uploads.delete(uploadId)
        return done(200, '<CompleteMultipartUploadResult/>')
      }
      case 'DELETE key':
        if (uploadId === undefined) objects.delete(key)
        else uploads.delete(uploadId)
        return done(204)
      default:
        throw new Refusal(405, 'MethodNotAllowed')
    }
  }

  async function judge(request: IncomingMessage, url: URL, body: Buffer): Promise<void> {
    const { authorization = '', 'x-amz-date': time = '', 'x-amz-content-sha256': digest = '' } = request.headers
    const parts =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), /.exec(
        authorization,
      )
    if (parts === null) throw new Refusal(403, 'AccessDenied')
    const [, id, , region, names = ''] = parts
    if (id !== options.credentials.accessKeyId) throw new Refusal(403, 'InvalidAccessKeyId')
    if (region !== options.region) throw new Refusal(400, 'AuthorizationHeaderMalformed')
    const at = Date.parse(String(time).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    if (!(Math.abs(Date.now() - at) <= skewMsMax)) throw new Refusal(403, 'RequestTimeTooSkewed')
    const signed = names.split(';')
    for (const name of Object.keys(request.headers))
      if ((name === 'host' || name.startsWith('x-amz-')) && !signed.includes(name))
        throw new Refusal(403, 'AccessDenied')
    if (createHash('sha256').update(body).digest('hex') !== digest) throw new Refusal(400, 'XAmzContentSHA256Mismatch')
    const signer = new SignatureV4({
      service: 's3',
      region: options.region,
      credentials: options.credentials,
      sha256: SmithyHash,
      uriEscapePath: false,
    })
    const again = await signer.sign(
      {
        method: request.method ?? '',
        protocol: url.protocol,
        hostname: url.hostname,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: Object.fromEntries(signed.map((name) => [name, String(request.headers[name] ?? '')])),
        body,
      },
      { signingDate: new Date(at) },
    )
    if (again.headers['authorization'] !== authorization) throw new Refusal(403, 'SignatureDoesNotMatch')
  }

  const standIn: BucketStandIn = {
    address: `http://127.0.0.1:${port}/${options.bucket}`,
    objects,
    uploads,
    asked,
    faults,
    pageKeys: 1_000,
    close: () => endServer(server),
  }
  return standIn
}

function refuse(response: ServerResponse, { status, code }: Refusal): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Words about it</Message></Error>`)
}

/** Keys in the order of their bytes; a token stands for the last one that was told. */
function listed(query: Record<string, string>, objects: ReadonlyMap<string, Buffer>, pageKeys: number): string {
  if (query['list-type'] !== '2') throw new Refusal(400, 'InvalidArgument')
  const token = query['continuation-token']
  const after = token === undefined ? '' : Buffer.from(token, 'base64').toString()
  const keys = [...objects.keys()].filter((key) => key.startsWith(query['prefix'] ?? '') && key > after).sort()
  const page = keys.slice(0, pageKeys)
  const isCut = keys.length > page.length
  const next = Buffer.from(page.at(-1) ?? '').toString('base64')
  const contents = page.map(
    (key) =>
      `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  )
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">` +
    `<IsTruncated>${isCut}</IsTruncated>${contents.join('')}<KeyCount>${page.length}</KeyCount>` +
    `${isCut ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}</ListBucketResult>`
  )
}

function assembled(
  text: string,
  upload: ReadonlyMap<number, Buffer>,
  bytesMin: number,
  tagOf: (bytes: Buffer) => string,
): Buffer {
  const named = [...text.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag><\/Part>/g)]
  if (named.length === 0) throw new Refusal(400, 'MalformedXML')
  let last = 0
  const pieces = named.map(([, number, tag = ''], at) => {
    const piece = upload.get(Number(number))
    if (piece === undefined || tagOf(piece) !== tag.replaceAll('&quot;', '"')) throw new Refusal(400, 'InvalidPart')
    if (Number(number) <= last) throw new Refusal(400, 'InvalidPartOrder')
    if (at < named.length - 1 && piece.length < bytesMin) throw new Refusal(400, 'EntityTooSmall')
    last = Number(number)
    return piece
  })
  return Buffer.concat(pieces)
}
