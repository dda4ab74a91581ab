/** The token of the configuration file: this, and the master key's HMAC of the purpose in Base64url. */
export const fileTokenStart = 'wharf_file_'
export const fileTokenPurpose = 'wharf configuration file'
