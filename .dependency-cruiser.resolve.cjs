/**
 * How imports are found, in the form that dependency-cruiser reads. Not taken from tsconfig.json: read from there,
 * `inngest` would mean our folder of that name, not the package.
 */
module.exports = { resolve: { alias: { "@": __dirname } } };
