import { readSettings } from './settings.ts'

/** Who the owner's git says that they are: the two lines of its settings that a commit cannot be made without. */
export interface Author {
  readonly name: string
  readonly email: string
}

/** Of a settings file of git. */
export function readAuthor(text: string): Partial<Author> {
  const settings = readSettings(text)
  const name = settings.get('user.name')
  const email = settings.get('user.email')
  return { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) }
}

/** A settings file that says this and nothing else. */
export function writeAuthor({ name, email }: Author): string {
  const quoted = (value: string) => `"${value.replace(/\p{Cc}/gu, ' ').replace(/[\\"]/g, '\\$&')}"`
  return `[user]\n\tname = ${quoted(name)}\n\temail = ${quoted(email)}\n`
}
