import { language } from '../preferences.ts'
import { type Field, fieldsOf, type InterfaceDescription, type Operation, typeOf } from './document.ts'
import { docsWords } from './words.ts'

interface Shown {
  readonly document: InterfaceDescription
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export function OperationSection({ document, method, path, operation }: Shown) {
  const text = docsWords[language.value]
  const permission = operation['x-permission']
  const answers = Object.entries(operation.responses)
  const body = operation.requestBody?.content['application/json']
  const takes: Field[] = [
    ...(operation.parameters ?? []).map(({ name, required, schema }) => ({
      name,
      type: typeOf(document, schema),
      isRequired: required === true,
      description: schema.description,
    })),
    ...(body?.schema === undefined ? [] : fieldsOf(document, body.schema)),
  ]
  return (
    <section class="sec operation" id={operation.operationId}>
      <header>
        <h3>
          <span class="tag acc">{method.toUpperCase()}</span> <code>{path}</code>
        </h3>
        {permission !== undefined && <span class="end">{permission === 'operate' ? text.operate : text.read}</span>}
      </header>
      <div lang="en">
        <p>
          <b>{operation.summary}</b>
        </p>
        <p class="muted">{operation.description}</p>
      </div>
      {takes.length > 0 && <Fields title={text.takes} fields={takes} />}
      {body?.example !== undefined && <Example title={`${text.example} · ${text.takes}`} value={body.example} />}
      {answers
        .filter(([status]) => Number(status) < 400)
        .map(([status, answer]) => {
          const content = answer.content?.['application/json']
          const fields = content?.schema === undefined ? [] : fieldsOf(document, content.schema)
          return (
            <div key={status}>
              {fields.length > 0 && <Fields title={`${text.answers} · ${status}`} fields={fields} />}
              {content?.example !== undefined && (
                <Example title={`${text.example} · ${status}`} value={content.example} />
              )}
            </div>
          )
        })}
      <p class="muted">
        {text.refuses}:{' '}
        {answers
          .filter(([status]) => Number(status) >= 400)
          .map(([status, { description }]) => `${status} ${description}`)
          .join(' · ')}
      </p>
    </section>
  )
}

function Fields({ title, fields }: { readonly title: string; readonly fields: readonly Field[] }) {
  const text = docsWords[language.value]
  return (
    <details>
      <summary>{title}</summary>
      <table class="wrap">
        <thead>
          <tr>
            <th scope="col">{text.field}</th>
            <th scope="col">{text.type}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, type, isRequired, description }) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td>
                <code>{type}</code> {isRequired && <span class="tag">{text.required}</span>}{' '}
                <span class="muted" lang="en">
                  {description}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function Example({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <details>
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached with the keyboard */}
      <pre class="code" tabIndex={0}>
        {JSON.stringify(value, undefined, 2)}
      </pre>
    </details>
  )
}
