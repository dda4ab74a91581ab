import { describe, test } from 'vitest'
import { readSettings } from '../../../workers/gateway/settings.ts'
import { readTemplate, templateFaults, unusedParameters } from '../../support/infrastructure-template.ts'

const container = readTemplate('local/gateway/container-service.template.yaml')
const function_ = readTemplate('local/gateway/function-service.template.yaml')
const shared = [
  'ApiKeySecretArn',
  'ContainerImageUri',
  'DefaultEmbeddingModelId',
  'DefaultModelId',
  'DisableMantle',
  'EnablePromptCaching',
  'LogLevel',
]
const networkOnly = ['CertificateArn', 'CreateNetwork', 'DesiredCount', 'Subnets', 'VpcCidr', 'VpcId']

describe.each([
  ['container service', container, [...shared, 'BedrockApiKeySecretArn', ...networkOnly]],
  ['function service', function_, [...shared, 'BedrockApiKey']],
] as const)('the template of the %s', (_, template, parameters) => {
  test('has exactly the parameters of the document, all of them used', ({ expect }) => {
    expect(Object.keys(template['Parameters'] ?? {}).sort()).toEqual([...parameters].sort())
    expect(unusedParameters(template)).toEqual([])
  })

  test('refers to nothing that does not exist', ({ expect }) => {
    expect(templateFaults(template)).toEqual([])
  })

  test('defaults to an empty model id, caching on, and the compatible endpoint off', ({ expect }) => {
    expect(template['Parameters']).toMatchObject({
      DefaultModelId: { Default: '' },
      DefaultEmbeddingModelId: { Default: '' },
      EnablePromptCaching: { Default: 'true' },
      DisableMantle: { Default: 'true' },
      LogLevel: { AllowedValues: ['trace', 'debug', 'info', 'warn', 'error'] },
    })
    expect(template['Parameters']?.['ApiKeySecretArn']).not.toHaveProperty('Default')
  })

  test('gives out a base address that already holds the prefix', ({ expect }) => {
    expect(JSON.stringify(template['Outputs']?.['APIBaseUrl'])).toMatch(/\/?api\/v1"/)
  })
})

test('the provider key is a secret ARN in the container service and a hidden value in the function service', ({
  expect,
}) => {
  expect(container['Parameters']?.['BedrockApiKeySecretArn']).not.toHaveProperty('NoEcho')
  expect(function_['Parameters']?.['BedrockApiKey']).toMatchObject({ Type: 'String', NoEcho: true, Default: '' })
  expect(JSON.stringify(container['Resources'])).toContain(
    '{"Name":"BEDROCK_API_KEY","ValueFrom":{"Ref":"BedrockApiKeySecretArn"}}',
  )
})

test('the container image is the owner’s own: no template names one', ({ expect }) => {
  expect(container['Parameters']?.['ContainerImageUri']).not.toHaveProperty('Default')
  expect(function_['Parameters']?.['ContainerImageUri']).not.toHaveProperty('Default')
})

test('the container service makes its own network unless it is told one, and runs two tasks', ({ expect }) => {
  expect(container['Parameters']).toMatchObject({
    CreateNetwork: { Default: 'true' },
    DesiredCount: { Type: 'Number', Default: 2 },
  })
  const made = Object.values(container['Resources'] ?? {}).filter(
    (resource) => resource['Condition'] === 'MakesNetwork',
  )
  expect(made.map((resource) => resource['Type'])).toEqual(
    expect.arrayContaining(['AWS::EC2::VPC', 'AWS::EC2::Subnet', 'AWS::EC2::InternetGateway']),
  )
  expect(container['Rules']).toHaveProperty('OwnNetworkIsNamed')
  expect(container['Resources']?.['Service']).toMatchObject({ Properties: { DesiredCount: { Ref: 'DesiredCount' } } })
})

test('a default deployment gives the gateway settings it can read, its models left to the account', ({ expect }) => {
  const settings = readSettings({
    API_KEY_SECRET_ARN: 'arn:aws:secretsmanager:us-west-2:123456789012:secret:x',
    DEFAULT_MODEL: '',
    DEFAULT_EMBEDDING_MODEL: '',
    ENABLE_PROMPT_CACHING: 'true',
    DISABLE_MANTLE: 'true',
    LOG_LEVEL: 'info',
  })

  expect(settings).toMatchObject({
    ok: true,
    value: {
      defaultModel: undefined,
      defaultEmbeddingModel: undefined,
      compatibleEndpoint: undefined,
      isPromptCachingEnabled: true,
      routePrefix: '/api/v1',
    },
  })
})

test('the container service answers the internet over TLS, or not at all', ({ expect }) => {
  const asDeployed = (certificate: string): unknown => {
    const settle = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(settle)
      if (typeof value !== 'object' || value === null) return value
      if ('Fn::If' in value && Array.isArray(value['Fn::If'])) {
        const [condition, then, otherwise] = value['Fn::If']
        return condition === 'IsPublic' ? settle(certificate === '' ? otherwise : then) : value
      }
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, settle(inner)]))
    }
    return settle({ ...container['Resources'], ...container['Outputs'] })
  }

  expect(container['Conditions']?.['IsPublic']).toEqual({
    'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'CertificateArn' }, ''] }],
  })
  expect(container['Parameters']?.['CertificateArn']).toMatchObject({ Default: '' })
  const inside = { Protocol: 'HTTP', Port: 80, Certificates: { Ref: 'AWS::NoValue' } }
  const addresses = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']
  expect(asDeployed('')).toMatchObject({
    LoadBalancer: { Properties: { Scheme: 'internal' } },
    Listener: { Properties: inside },
    BalancerSecurityGroup: {
      Properties: { SecurityGroupIngress: addresses.map((CidrIp) => ({ FromPort: 80, ToPort: 80, CidrIp })) },
    },
  })
  expect(asDeployed('arn:aws:acm:x')).toMatchObject({
    LoadBalancer: { Properties: { Scheme: 'internet-facing' } },
    Listener: {
      Properties: {
        Protocol: 'HTTPS',
        Port: 443,
        Certificates: [{ CertificateArn: { Ref: 'CertificateArn' } }],
        SslPolicy: expect.stringMatching(/^ELBSecurityPolicy-TLS13-1-2-/),
      },
    },
    BalancerSecurityGroup: {
      Properties: { SecurityGroupIngress: [{ FromPort: 443, ToPort: 443, CidrIp: '0.0.0.0/0' }] },
    },
    APIBaseUrl: { Value: { 'Fn::Sub': expect.stringMatching(/^https:/) } },
  })
})

test('a template with a wrong name is noticed', ({ expect }) => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a placeholder of the template
  const broken = { ...container, Outputs: { APIBaseUrl: { Value: { 'Fn::Sub': 'http://${Nothing.DNSName}/' } } } }

  expect(templateFaults(broken)).toEqual(['Outputs.APIBaseUrl.Value: Nothing does not exist'])
})
