/** One that ends by itself is not begun again at once: what ended it is likely to end the next one too. */
export const starterRestMs = 1_000
/** The system takes 128 KiB for one argument; what is longer is refused where it is asked for, not by the starter. */
export const toldBytesMax = 64 * 1024
