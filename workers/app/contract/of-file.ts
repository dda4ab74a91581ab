import * as z from '#shared/schema/deferred.ts'

/** There where the configuration file declares it: then it is changed in the file, and neither changed nor removed here. */
export const ofFile = { from_file: z.literal(true).optional() }
