/**
 * An image as files: the layout, the manifest, the configuration and one layer, by the OCI image format 1.1. The same root
 * gives the same bytes: times, owners and order are set.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { leanProcessVariables, serviceNodeFlags } from '../lean-process.mjs'
import { imageUser } from './image-root.ts'

const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

export interface ImageFacts {
  readonly version: string
  /** Of everything in it; seconds since 1970. */
  readonly madeAtUnix: number
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

export function writeLayout(root: string, folder: string, { version, madeAtUnix }: ImageFacts): Descriptor {
  const blobs = path.join(folder, 'blobs', 'sha256')
  mkdirSync(blobs, { recursive: true })
  const keep = (mediaType: string, bytes: Uint8Array): Descriptor => {
    const digest = digestOf(bytes)
    writeFileSync(path.join(blobs, digest.slice('sha256:'.length)), bytes)
    return { mediaType, digest, size: bytes.length }
  }
  const json = (mediaType: string, value: object) => keep(mediaType, Buffer.from(JSON.stringify(value)))
  const tar = tarOf(root, madeAtUnix)
  const created = new Date(madeAtUnix * 1000).toISOString()
  const layer = keep(types.layer, gzipSync(tar, { level: 6 }))
  const config = json(types.config, {
    created,
    architecture: architectures[process.arch],
    os: 'linux',
    config: {
      User: `${imageUser}:${imageUser}`,
      ExposedPorts: { '8787/tcp': {} },
      Env: [
        'HOME=/data',
        'WHARF_DATA=/data',
        'WHARF_WITHOUT=agent,viewer',
        ...Object.entries(leanProcessVariables).map((pair) => pair.join('=')),
      ],
      Entrypoint: ['/opt/wharf/node', ...serviceNodeFlags, '/opt/wharf/dist/programs/serve.mjs', '--workers'],
      Volumes: { '/data': {} },
      WorkingDir: '/data',
      Labels: {
        'org.opencontainers.image.title': 'wharf',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'Apache-2.0',
      },
      StopSignal: 'SIGTERM',
    },
    rootfs: { type: 'layers', diff_ids: [digestOf(tar)] },
    history: [{ created, created_by: 'scripts/release/image-root.ts' }],
  })
  const manifest = json(types.manifest, { schemaVersion: 2, mediaType: types.manifest, config, layers: [layer] })
  const platform = { architecture: architectures[process.arch], os: 'linux' }
  const annotations = { 'org.opencontainers.image.ref.name': version }
  writeFileSync(
    path.join(folder, 'index.json'),
    JSON.stringify({ schemaVersion: 2, mediaType: types.index, manifests: [{ ...manifest, platform, annotations }] }),
  )
  writeFileSync(path.join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  return manifest
}

/** Everything belongs to root, who nobody in the image is, but for the two folders that are written to. */
function tarOf(root: string, madeAtUnix: number): Buffer {
  const own = ['--numeric-owner', '--sort=name', `--mtime=@${madeAtUnix}`, '--format=ustar', '--directory', root]
  const file = `${root}.tar`
  const folders = readdirSync(root).filter((name) => name !== 'data' && name !== 'tmp')
  const shared = ['--owner=0', '--group=0', '--mode=u=rwX,go=rX']
  execFileSync('tar', ['--create', '--file', file, ...shared, ...own, ...folders.sort()])
  const user = [`--owner=${imageUser}`, `--group=${imageUser}`]
  execFileSync('tar', ['--append', '--file', file, ...user, '--mode=0700', ...own, 'data'])
  execFileSync('tar', ['--append', '--file', file, '--owner=0', '--group=0', '--mode=1777', ...own, 'tmp'])
  return readFileSync(file)
}
