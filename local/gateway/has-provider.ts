/** Any of these says where the provider is, or who asks it. */
const providerSettings =
  /^(APP_)?AWS_(ACCESS_KEY_ID|BEARER_TOKEN_BEDROCK|WEB_IDENTITY_TOKEN(_FILE)?|CONTAINER_CREDENTIALS_(RELATIVE|FULL)_URI|ENDPOINT_URL(_BEDROCK(_RUNTIME)?)?)$/

export function hasProvider(variables: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(variables).some(([name, value]) => providerSettings.test(name) && (value ?? '') !== '')
}
