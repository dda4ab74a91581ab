import { entryOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'
import type { AudioBlock, DocumentBlock, DocumentFormat, VideoBlock } from '../wire/converse-request.ts'

/** Formats of documents by the ending of a name and by media type. */
const documentFormats: Readonly<Record<string, DocumentFormat>> = {
  pdf: 'pdf',
  csv: 'csv',
  doc: 'doc',
  docx: 'docx',
  xls: 'xls',
  xlsx: 'xlsx',
  html: 'html',
  htm: 'html',
  txt: 'txt',
  md: 'md',
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
}

const audioFormats = [
  'mp3',
  'opus',
  'wav',
  'aac',
  'flac',
  'mp4',
  'ogg',
  'mkv',
  'mka',
  'm4a',
  'mpeg',
  'mpga',
  'pcm',
  'webm',
]
const videoFormats: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/x-matroska': 'mkv',
  'video/webm': 'webm',
  'video/x-flv': 'flv',
  'video/mpeg': 'mpeg',
  'video/x-ms-wmv': 'wmv',
  'video/3gpp': 'three_gp',
}

const base64Pattern = /^[A-Za-z0-9+/]+={0,2}$/

/** A file as a client sends it inside a request. */
export interface SentFile {
  /** A data URL, or base64 alone. */
  readonly data: string | undefined
  readonly filename: string | undefined
  /** Where base64 comes alone and its maker says what it is. */
  readonly mediaType?: string
}

/** Names of documents within one request: the provider refuses a name that comes twice. */
export class DocumentNames {
  readonly #taken = new Set<string>()

  next(filename: string | undefined): string {
    const plain = (filename ?? '')
      .replace(/\.[A-Za-z0-9]{1,5}$/, '')
      .replace(/[^A-Za-z0-9\-()[\]]+/g, ' ')
      .trim()
      .slice(0, 100)
      .trim()
    const base = plain === '' ? 'document' : plain
    let name = base
    for (let number = 2; this.#taken.has(name); number += 1) name = `${base} ${number}`
    this.#taken.add(name)
    return name
  }
}

/** The provider's block for a file that came with the request. */
export function documentBlock(file: SentFile, names: DocumentNames): Result<DocumentBlock, Failure> {
  if (file.data === undefined) {
    return failWith(failure('bad_request', 'files are not kept here: send the file itself as file_data'))
  }
  const read = readData(file.data)
  const ending = /\.([A-Za-z0-9]+)$/.exec(file.filename ?? '')?.[1]?.toLowerCase()
  const format =
    entryOf(documentFormats, read?.mediaType ?? file.mediaType ?? '') ?? entryOf(documentFormats, ending ?? '')
  if (read === undefined) return failWith(failure('bad_request', 'file_data does not hold base64'))
  if (format === undefined) {
    return failWith(failure('bad_request', 'a file must be a pdf, csv, doc, docx, xls, xlsx, html, txt or md'))
  }
  return succeed({ document: { format, name: names.next(file.filename), source: { bytes: read.base64 } } })
}

/** The provider's block for a text that is to be read as a document. */
export function textDocument(text: string, title: string | undefined, names: DocumentNames): DocumentBlock {
  return { document: { format: 'txt', name: names.next(title), source: { text } } }
}

export function audioBlock(data: string, format: string): Result<AudioBlock, Failure> {
  if (!audioFormats.includes(format)) return failWith(failure('bad_request', 'this format of audio is not served'))
  return base64Pattern.test(data)
    ? succeed({ audio: { format, source: { bytes: data } } })
    : failWith(failure('bad_request', 'audio does not hold base64'))
}

export function videoBlock(url: string): Result<VideoBlock, Failure> {
  const read = readData(url)
  const format = read?.mediaType === undefined ? undefined : entryOf(videoFormats, read.mediaType)
  return read === undefined || format === undefined
    ? failWith(failure('bad_request', 'a video must be a data URL of mp4, mov, mkv, webm, flv, mpeg, wmv or 3gp'))
    : succeed({ video: { format, source: { bytes: read.base64 } } })
}

function readData(data: string): { readonly mediaType: string | undefined; readonly base64: string } | undefined {
  const comma = data.indexOf(',')
  const head = comma < 0 ? undefined : /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.-]+)*;base64$/i.exec(data.slice(0, comma))
  if (head === null) return undefined
  const base64 = head === undefined ? data : data.slice(comma + 1)
  return base64Pattern.test(base64) ? { mediaType: head?.[1]?.toLowerCase(), base64 } : undefined
}
