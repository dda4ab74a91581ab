/** Some thousand lines: more than anybody writes, and read whole. */
export const configFileBytesMax = 256 * 1024
