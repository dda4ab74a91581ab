import { execFileSync } from 'node:child_process'
import path from 'node:path'

export interface OwnCertificate {
  /** Paths of PEM files. */
  readonly certificate: string
  readonly key: string
}

/** A certificate in `folder` for these names or addresses, which it signed itself; valid for two days. */
export function makeCertificate(
  openssl: string,
  folder: string,
  ...names: readonly [string, ...string[]]
): OwnCertificate {
  const made = { certificate: path.join(folder, 'certificate.pem'), key: path.join(folder, 'key.pem') }
  const alternatives = names.map((name) => `${/^[\d.]+$/.test(name) ? 'IP' : 'DNS'}:${name}`)
  execFileSync(
    openssl,
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'].concat(
      ['-subj', `/CN=${names[0]}`, '-addext', `subjectAltName=${alternatives.join(',')}`],
      ['-keyout', made.key, '-out', made.certificate],
    ),
    { stdio: 'ignore' },
  )
  return made
}
