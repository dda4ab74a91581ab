/** Some thousand lines: more than anybody writes, and read whole. */
export const configFileBytesMax = 256 * 1024
/** A cookie is the longest secret there is. */
export const secretFileBytesMax = 64 * 1024
/** Of a service on this machine that writes some hundred entries. */
export const applyMsMax = 60_000
