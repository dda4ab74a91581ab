/** Every number of the pictures. Lengths are px of the picture's own grid, which is the screen's. */

export const boxWidth = 184
export const boxHeight = 54
/** Room for the names of the layers. */
export const gutterWidth = 104
export const channelWidthMin = 28
export const channelWidthMax = 84
export const rowGapMin = 52
/** Each link that runs between two rows asks for this much more of the gap, up to the greatest gap. */
export const rowGapPerLink = 3
export const rowGapMax = 92
export const columnsMax = 12
export const columnsMin = 2

/** Links drawn at once; the lighter ones appear when one of their modules is chosen. */
export const linksDrawnMax = 90
export const sweepsMax = 6

/** Lines of one card of a saved flow. */
export const cardWidthMax = 760
