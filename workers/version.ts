/** Of all that is served from here. A test holds it to package.json, of which a Worker would carry everything. */
export const version = '0.1.0'
