import { readFileSync } from 'node:fs'
import { type CollectionTag, parse, type ScalarTag } from 'yaml'

export type Template = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>

const functions = ['Sub', 'GetAtt', 'Select', 'GetAZs', 'Cidr', 'If', 'Equals', 'Not', 'Join', 'And', 'Or'] as const
const nameOf = (tag: string) => (tag === 'Ref' || tag === 'Condition' ? tag : `Fn::${tag}`)

/** Reads a template with the short forms of its functions, each as the long form says it. */
export function readTemplate(file: string): Template {
  const scalar = [...functions, 'Ref', 'Condition'].map(
    (tag): ScalarTag => ({
      tag: `!${tag}`,
      resolve: (text) => ({ [nameOf(tag)]: tag === 'GetAtt' ? text.split('.') : text }),
    }),
  )
  const sequence = functions.map(
    (tag): CollectionTag => ({
      tag: `!${tag}`,
      collection: 'seq',
      resolve: (items) => ({ [nameOf(tag)]: items.toJSON() }),
    }),
  )
  // Through JSON once more, so that functions inside the lists of others are plain too.
  return JSON.parse(
    JSON.stringify(parse(readFileSync(file, 'utf8'), { customTags: [...scalar, ...sequence], strict: true })),
  )
}

const pseudoParameters = [
  'AWS::Region',
  'AWS::Partition',
  'AWS::NoValue',
  'AWS::AccountId',
  'AWS::URLSuffix',
  'AWS::StackName',
]
const sections = [
  'AWSTemplateFormatVersion',
  'Description',
  'Parameters',
  'Rules',
  'Conditions',
  'Resources',
  'Outputs',
]
const resourceMembers = ['Type', 'Condition', 'DependsOn', 'Properties']

/** What a deployment would refuse: names that lead nowhere, unknown sections, resources without a type. */
export function templateFaults(template: Template): readonly string[] {
  const parameters = Object.keys(template['Parameters'] ?? {})
  const resources = Object.keys(template['Resources'] ?? {})
  const conditions = Object.keys(template['Conditions'] ?? {})
  const faults = Object.keys(template)
    .filter((section) => !sections.includes(section))
    .map((section) => `unknown section ${section}`)
  const known = [...parameters, ...resources, ...pseudoParameters]
  const need = (name: unknown, among: readonly string[], where: string) => {
    if (typeof name !== 'string' || !among.includes(name)) faults.push(`${where}: ${String(name)} does not exist`)
  }
  const walk = (value: unknown, where: string): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, `${where}[${index}]`)
    if (Array.isArray(value)) return
    if (typeof value !== 'object' || value === null) return
    for (const [member, inner] of Object.entries(value)) {
      if (member === 'Ref') need(inner, known, where)
      if (member === 'Fn::GetAtt') need(Array.isArray(inner) ? inner[0] : inner, resources, where)
      if (member === 'Fn::If') need(Array.isArray(inner) ? inner[0] : inner, conditions, where)
      if (member === 'Fn::Sub') {
        for (const [, name] of String(inner).matchAll(/\$\{([^}.]+)(?:\.[^}]+)?\}/g)) need(name, known, where)
      }
      walk(inner, `${where}.${member}`)
    }
  }
  walk(template['Rules'], 'Rules')
  walk(template['Conditions'], 'Conditions')
  walk(template['Outputs'], 'Outputs')
  for (const [name, resource] of Object.entries(template['Resources'] ?? {})) {
    if (!/^AWS::\w+::\w+$/.test(String(resource['Type']))) faults.push(`${name} has no type`)
    for (const member of Object.keys(resource)) {
      if (!resourceMembers.includes(member)) faults.push(`${name} has an unknown member ${member}`)
    }
    if (resource['Condition'] !== undefined) need(resource['Condition'], conditions, name)
    for (const other of [resource['DependsOn'] ?? []].flat()) need(other, resources, name)
    walk(resource['Properties'], name)
  }
  return faults
}

/** Names a template refers to nowhere are settings that do nothing. */
export function unusedParameters(template: Template): readonly string[] {
  const text = JSON.stringify({ ...template, Parameters: undefined, Rules: undefined })
  return Object.keys(template['Parameters'] ?? {}).filter((name) => !text.includes(`"Ref":"${name}"`))
}
