/**
 * What the provider's runtime interface takes, field by field: the published service model `bedrock-runtime` (API
 * 2023-09-30) as the AWS SDK for Python 1.43.107 carries it, read on 2026-11-22; 1.43.67 says the same of all these
 * shapes. `modelId` lies in the path and is not a member here. A test holds the names against the model in the AWS SDK
 * for JavaScript 3.1162.0. Text lengths are in characters, blobs in bytes; `document` is any JSON.
 */
export type Shape =
  | {
      readonly kind: 'structure'
      readonly members: Readonly<Record<string, string>>
      readonly required?: readonly string[]
      /** Exactly one member is set. */
      readonly isUnion?: boolean
    }
  | ({ readonly kind: 'list'; readonly member: string } & Bounds)
  | ({ readonly kind: 'map'; readonly key: string; readonly value: string } & Bounds)
  | ({ readonly kind: 'string'; readonly pattern?: string; readonly values?: readonly string[] } & Bounds)
  | ({ readonly kind: 'integer' | 'number' | 'blob' } & Bounds)
  | { readonly kind: 'boolean' | 'document' }

interface Bounds {
  readonly min?: number
  readonly max?: number
}

export const serviceModel: Readonly<Record<string, Shape>> = {
  ConverseRequest: {
    kind: 'structure',
    members: {
      messages: 'Messages',
      system: 'SystemContentBlocks',
      inferenceConfig: 'InferenceConfiguration',
      toolConfig: 'ToolConfiguration',
      guardrailConfig: 'GuardrailConfiguration',
      additionalModelRequestFields: 'Document',
      promptVariables: 'PromptVariableMap',
      additionalModelResponseFieldPaths: 'ConverseRequestAdditionalModelResponseFieldPathsList',
      requestMetadata: 'RequestMetadata',
      performanceConfig: 'PerformanceConfiguration',
      serviceTier: 'ServiceTier',
      outputConfig: 'OutputConfig',
    },
  },
  Messages: { kind: 'list', member: 'Message' },
  Message: {
    kind: 'structure',
    members: { role: 'ConversationRole', content: 'ContentBlocks' },
    required: ['role', 'content'],
  },
  ConversationRole: { kind: 'string', values: ['user', 'assistant', 'system'] },
  ContentBlocks: { kind: 'list', member: 'ContentBlock' },
  ContentBlock: {
    kind: 'structure',
    members: {
      text: 'String',
      image: 'ImageBlock',
      document: 'DocumentBlock',
      video: 'VideoBlock',
      audio: 'AudioBlock',
      toolUse: 'ToolUseBlock',
      toolResult: 'ToolResultBlock',
      guardContent: 'GuardrailConverseContentBlock',
      cachePoint: 'CachePointBlock',
      reasoningContent: 'ReasoningContentBlock',
      citationsContent: 'CitationsContentBlock',
      searchResult: 'SearchResultBlock',
      toolAddition: 'ToolAdditionBlock',
      toolRemoval: 'ToolRemovalBlock',
    },
    isUnion: true,
  },
  String: { kind: 'string' },
  ImageBlock: {
    kind: 'structure',
    members: { format: 'ImageFormat', source: 'ImageSource', error: 'ErrorBlock' },
    required: ['format', 'source'],
  },
  ImageFormat: { kind: 'string', values: ['png', 'jpeg', 'gif', 'webp'] },
  ImageSource: {
    kind: 'structure',
    members: { bytes: 'ImageSourceBytesBlob', s3Location: 'S3Location' },
    isUnion: true,
  },
  ImageSourceBytesBlob: { kind: 'blob', min: 1 },
  S3Location: { kind: 'structure', members: { uri: 'S3Uri', bucketOwner: 'AccountId' }, required: ['uri'] },
  S3Uri: { kind: 'string', min: 1, max: 1024, pattern: 's3://[a-z0-9][\\.\\-a-z0-9]{1,61}[a-z0-9](/.*)?' },
  AccountId: { kind: 'string', pattern: '[0-9]{12}' },
  ErrorBlock: { kind: 'structure', members: { message: 'String' } },
  DocumentBlock: {
    kind: 'structure',
    members: {
      format: 'DocumentFormat',
      name: 'DocumentBlockNameString',
      source: 'DocumentSource',
      context: 'String',
      citations: 'CitationsConfig',
    },
    required: ['name', 'source'],
  },
  DocumentFormat: { kind: 'string', values: ['pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md'] },
  DocumentBlockNameString: { kind: 'string', min: 1, max: 200 },
  DocumentSource: {
    kind: 'structure',
    members: {
      bytes: 'DocumentSourceBytesBlob',
      s3Location: 'S3Location',
      text: 'String',
      content: 'DocumentContentBlocks',
    },
    isUnion: true,
  },
  DocumentSourceBytesBlob: { kind: 'blob', min: 1 },
  DocumentContentBlocks: { kind: 'list', member: 'DocumentContentBlock' },
  DocumentContentBlock: { kind: 'structure', members: { text: 'String' }, isUnion: true },
  CitationsConfig: { kind: 'structure', members: { enabled: 'Boolean' }, required: ['enabled'] },
  Boolean: { kind: 'boolean' },
  VideoBlock: {
    kind: 'structure',
    members: { format: 'VideoFormat', source: 'VideoSource' },
    required: ['format', 'source'],
  },
  VideoFormat: { kind: 'string', values: ['mkv', 'mov', 'mp4', 'webm', 'flv', 'mpeg', 'mpg', 'wmv', 'three_gp'] },
  VideoSource: {
    kind: 'structure',
    members: { bytes: 'VideoSourceBytesBlob', s3Location: 'S3Location' },
    isUnion: true,
  },
  VideoSourceBytesBlob: { kind: 'blob', min: 1 },
  AudioBlock: {
    kind: 'structure',
    members: { format: 'AudioFormat', source: 'AudioSource', error: 'ErrorBlock' },
    required: ['format', 'source'],
  },
  AudioFormat: {
    kind: 'string',
    values: [
      'mp3',
      'opus',
      'wav',
      'aac',
      'flac',
      'mp4',
      'ogg',
      'mkv',
      'mka',
      'x-aac',
      'm4a',
      'mpeg',
      'mpga',
      'pcm',
      'webm',
    ],
  },
  AudioSource: {
    kind: 'structure',
    members: { bytes: 'AudioSourceBytesBlob', s3Location: 'S3Location' },
    isUnion: true,
  },
  AudioSourceBytesBlob: { kind: 'blob', min: 1 },
  ToolUseBlock: {
    kind: 'structure',
    members: { toolUseId: 'ToolUseId', name: 'ToolName', input: 'Document', type: 'ToolUseType' },
    required: ['toolUseId', 'name', 'input'],
  },
  ToolUseId: { kind: 'string', min: 1, max: 64, pattern: '[a-zA-Z0-9_.:-]+' },
  ToolName: { kind: 'string', min: 1, max: 64, pattern: '[a-zA-Z0-9_-]+' },
  Document: { kind: 'document' },
  ToolUseType: { kind: 'string', values: ['server_tool_use'] },
  ToolResultBlock: {
    kind: 'structure',
    members: { toolUseId: 'ToolUseId', content: 'ToolResultContentBlocks', status: 'ToolResultStatus', type: 'String' },
    required: ['toolUseId', 'content'],
  },
  ToolResultContentBlocks: { kind: 'list', member: 'ToolResultContentBlock' },
  ToolResultContentBlock: {
    kind: 'structure',
    members: {
      json: 'Document',
      text: 'String',
      image: 'ImageBlock',
      document: 'DocumentBlock',
      video: 'VideoBlock',
      searchResult: 'SearchResultBlock',
    },
    isUnion: true,
  },
  SearchResultBlock: {
    kind: 'structure',
    members: { source: 'String', title: 'String', content: 'SearchResultContentBlocks', citations: 'CitationsConfig' },
    required: ['source', 'title', 'content'],
  },
  SearchResultContentBlocks: { kind: 'list', member: 'SearchResultContentBlock' },
  SearchResultContentBlock: { kind: 'structure', members: { text: 'String' }, required: ['text'] },
  ToolResultStatus: { kind: 'string', values: ['success', 'error'] },
  GuardrailConverseContentBlock: {
    kind: 'structure',
    members: { text: 'GuardrailConverseTextBlock', image: 'GuardrailConverseImageBlock' },
    isUnion: true,
  },
  GuardrailConverseTextBlock: {
    kind: 'structure',
    members: { text: 'String', qualifiers: 'GuardrailConverseContentQualifierList' },
    required: ['text'],
  },
  GuardrailConverseContentQualifierList: { kind: 'list', member: 'GuardrailConverseContentQualifier' },
  GuardrailConverseContentQualifier: { kind: 'string', values: ['grounding_source', 'query', 'guard_content'] },
  GuardrailConverseImageBlock: {
    kind: 'structure',
    members: { format: 'GuardrailConverseImageFormat', source: 'GuardrailConverseImageSource' },
    required: ['format', 'source'],
  },
  GuardrailConverseImageFormat: { kind: 'string', values: ['png', 'jpeg'] },
  GuardrailConverseImageSource: {
    kind: 'structure',
    members: { bytes: 'GuardrailConverseImageSourceBytesBlob' },
    isUnion: true,
  },
  GuardrailConverseImageSourceBytesBlob: { kind: 'blob', min: 1 },
  CachePointBlock: { kind: 'structure', members: { type: 'CachePointType', ttl: 'CacheTTL' }, required: ['type'] },
  CachePointType: { kind: 'string', values: ['default'] },
  CacheTTL: { kind: 'string', values: ['5m', '1h'] },
  ReasoningContentBlock: {
    kind: 'structure',
    members: { reasoningText: 'ReasoningTextBlock', redactedContent: 'Blob' },
    isUnion: true,
  },
  ReasoningTextBlock: { kind: 'structure', members: { text: 'String', signature: 'String' }, required: ['text'] },
  Blob: { kind: 'blob' },
  CitationsContentBlock: {
    kind: 'structure',
    members: { content: 'CitationGeneratedContentList', citations: 'Citations' },
  },
  CitationGeneratedContentList: { kind: 'list', member: 'CitationGeneratedContent' },
  CitationGeneratedContent: { kind: 'structure', members: { text: 'String' }, isUnion: true },
  Citations: { kind: 'list', member: 'Citation' },
  Citation: {
    kind: 'structure',
    members: {
      title: 'String',
      source: 'String',
      sourceContent: 'CitationSourceContentList',
      location: 'CitationLocation',
    },
  },
  CitationSourceContentList: { kind: 'list', member: 'CitationSourceContent' },
  CitationSourceContent: { kind: 'structure', members: { text: 'String' }, isUnion: true },
  CitationLocation: {
    kind: 'structure',
    members: {
      web: 'WebLocation',
      documentChar: 'DocumentCharLocation',
      documentPage: 'DocumentPageLocation',
      documentChunk: 'DocumentChunkLocation',
      searchResultLocation: 'SearchResultLocation',
    },
    isUnion: true,
  },
  WebLocation: { kind: 'structure', members: { url: 'String', domain: 'String' } },
  DocumentCharLocation: {
    kind: 'structure',
    members: {
      documentIndex: 'DocumentCharLocationDocumentIndexInteger',
      start: 'DocumentCharLocationStartInteger',
      end: 'DocumentCharLocationEndInteger',
    },
  },
  DocumentCharLocationDocumentIndexInteger: { kind: 'integer', min: 0 },
  DocumentCharLocationStartInteger: { kind: 'integer', min: 0 },
  DocumentCharLocationEndInteger: { kind: 'integer', min: 0 },
  DocumentPageLocation: {
    kind: 'structure',
    members: {
      documentIndex: 'DocumentPageLocationDocumentIndexInteger',
      start: 'DocumentPageLocationStartInteger',
      end: 'DocumentPageLocationEndInteger',
    },
  },
  DocumentPageLocationDocumentIndexInteger: { kind: 'integer', min: 0 },
  DocumentPageLocationStartInteger: { kind: 'integer', min: 0 },
  DocumentPageLocationEndInteger: { kind: 'integer', min: 0 },
  DocumentChunkLocation: {
    kind: 'structure',
    members: {
      documentIndex: 'DocumentChunkLocationDocumentIndexInteger',
      start: 'DocumentChunkLocationStartInteger',
      end: 'DocumentChunkLocationEndInteger',
    },
  },
  DocumentChunkLocationDocumentIndexInteger: { kind: 'integer', min: 0 },
  DocumentChunkLocationStartInteger: { kind: 'integer', min: 0 },
  DocumentChunkLocationEndInteger: { kind: 'integer', min: 0 },
  SearchResultLocation: {
    kind: 'structure',
    members: {
      searchResultIndex: 'SearchResultLocationSearchResultIndexInteger',
      start: 'SearchResultLocationStartInteger',
      end: 'SearchResultLocationEndInteger',
    },
  },
  SearchResultLocationSearchResultIndexInteger: { kind: 'integer', min: 0 },
  SearchResultLocationStartInteger: { kind: 'integer', min: 0 },
  SearchResultLocationEndInteger: { kind: 'integer', min: 0 },
  ToolAdditionBlock: { kind: 'structure', members: { tool: 'ToolReference' }, required: ['tool'] },
  ToolReference: {
    kind: 'structure',
    members: {
      type: 'ToolReferenceTypeString',
      name: 'ToolReferenceNameString',
      serverName: 'ToolReferenceServerNameString',
    },
  },
  ToolReferenceTypeString: { kind: 'string', min: 1, max: 64 },
  ToolReferenceNameString: { kind: 'string', min: 1, max: 128 },
  ToolReferenceServerNameString: { kind: 'string', min: 1, max: 128 },
  ToolRemovalBlock: { kind: 'structure', members: { tool: 'ToolReference' }, required: ['tool'] },
  SystemContentBlocks: { kind: 'list', member: 'SystemContentBlock' },
  SystemContentBlock: {
    kind: 'structure',
    members: { text: 'NonEmptyString', guardContent: 'GuardrailConverseContentBlock', cachePoint: 'CachePointBlock' },
    isUnion: true,
  },
  NonEmptyString: { kind: 'string', min: 1 },
  InferenceConfiguration: {
    kind: 'structure',
    members: {
      maxTokens: 'InferenceConfigurationMaxTokensInteger',
      temperature: 'InferenceConfigurationTemperatureFloat',
      topP: 'InferenceConfigurationTopPFloat',
      stopSequences: 'InferenceConfigurationStopSequencesList',
    },
  },
  InferenceConfigurationMaxTokensInteger: { kind: 'integer', min: 1 },
  InferenceConfigurationTemperatureFloat: { kind: 'number', min: 0, max: 1 },
  InferenceConfigurationTopPFloat: { kind: 'number', min: 0, max: 1 },
  InferenceConfigurationStopSequencesList: { kind: 'list', member: 'NonEmptyString', max: 2500 },
  ToolConfiguration: {
    kind: 'structure',
    members: { tools: 'ToolConfigurationToolsList', toolChoice: 'ToolChoice' },
    required: ['tools'],
  },
  ToolConfigurationToolsList: { kind: 'list', member: 'Tool', min: 1 },
  Tool: {
    kind: 'structure',
    members: { toolSpec: 'ToolSpecification', systemTool: 'SystemTool', cachePoint: 'CachePointBlock' },
    isUnion: true,
  },
  ToolSpecification: {
    kind: 'structure',
    members: { name: 'ToolName', description: 'NonEmptyString', inputSchema: 'ToolInputSchema', strict: 'Boolean' },
    required: ['name', 'inputSchema'],
  },
  ToolInputSchema: { kind: 'structure', members: { json: 'Document' }, isUnion: true },
  SystemTool: { kind: 'structure', members: { name: 'ToolName' }, required: ['name'] },
  ToolChoice: {
    kind: 'structure',
    members: { auto: 'AutoToolChoice', any: 'AnyToolChoice', tool: 'SpecificToolChoice' },
    isUnion: true,
  },
  AutoToolChoice: { kind: 'structure', members: {} },
  AnyToolChoice: { kind: 'structure', members: {} },
  SpecificToolChoice: { kind: 'structure', members: { name: 'ToolName' }, required: ['name'] },
  GuardrailConfiguration: {
    kind: 'structure',
    members: {
      guardrailIdentifier: 'GuardrailIdentifier',
      guardrailVersion: 'GuardrailVersion',
      trace: 'GuardrailTrace',
    },
  },
  GuardrailIdentifier: {
    kind: 'string',
    max: 2048,
    pattern: '(|([a-z0-9]+)|(arn:aws(-[^:]+)?:bedrock:[a-z0-9-]{1,20}:[0-9]{12}:guardrail/[a-z0-9]+))',
  },
  GuardrailVersion: { kind: 'string', pattern: '(|([1-9][0-9]{0,7})|(DRAFT))' },
  GuardrailTrace: { kind: 'string', values: ['enabled', 'disabled', 'enabled_full'] },
  PromptVariableMap: { kind: 'map', key: 'String', value: 'PromptVariableValues' },
  PromptVariableValues: { kind: 'structure', members: { text: 'String' }, isUnion: true },
  ConverseRequestAdditionalModelResponseFieldPathsList: {
    kind: 'list',
    member: 'ConverseRequestAdditionalModelResponseFieldPathsListMemberString',
    max: 10,
  },
  ConverseRequestAdditionalModelResponseFieldPathsListMemberString: { kind: 'string', min: 1, max: 256 },
  RequestMetadata: {
    kind: 'map',
    key: 'RequestMetadataKeyString',
    value: 'RequestMetadataValueString',
    min: 1,
    max: 16,
  },
  RequestMetadataKeyString: { kind: 'string', min: 1, max: 256, pattern: '[a-zA-Z0-9\\s:_@$#=/+,-.]{1,256}' },
  RequestMetadataValueString: { kind: 'string', max: 256, pattern: '[a-zA-Z0-9\\s:_@$#=/+,-.]{0,256}' },
  PerformanceConfiguration: { kind: 'structure', members: { latency: 'PerformanceConfigLatency' } },
  PerformanceConfigLatency: { kind: 'string', values: ['standard', 'optimized'] },
  ServiceTier: { kind: 'structure', members: { type: 'ServiceTierType' }, required: ['type'] },
  ServiceTierType: { kind: 'string', values: ['priority', 'default', 'flex', 'reserved'] },
  OutputConfig: { kind: 'structure', members: { textFormat: 'OutputFormat', effort: 'OutputConfigEffortString' } },
  OutputFormat: {
    kind: 'structure',
    members: { type: 'OutputFormatType', structure: 'OutputFormatStructure' },
    required: ['type', 'structure'],
  },
  OutputFormatType: { kind: 'string', values: ['json_schema'] },
  OutputFormatStructure: { kind: 'structure', members: { jsonSchema: 'JsonSchemaDefinition' }, isUnion: true },
  JsonSchemaDefinition: {
    kind: 'structure',
    members: { schema: 'String', name: 'String', description: 'String' },
    required: ['schema'],
  },
  OutputConfigEffortString: { kind: 'string', max: 16 },
  CountTokensRequest: { kind: 'structure', members: { input: 'CountTokensInput' }, required: ['input'] },
  CountTokensInput: {
    kind: 'structure',
    members: { invokeModel: 'InvokeModelTokensRequest', converse: 'ConverseTokensRequest' },
    isUnion: true,
  },
  InvokeModelTokensRequest: { kind: 'structure', members: { body: 'Body' }, required: ['body'] },
  Body: { kind: 'blob', max: 25000000 },
  ConverseTokensRequest: {
    kind: 'structure',
    members: {
      messages: 'Messages',
      system: 'SystemContentBlocks',
      toolConfig: 'ToolConfiguration',
      additionalModelRequestFields: 'Document',
    },
  },
}
