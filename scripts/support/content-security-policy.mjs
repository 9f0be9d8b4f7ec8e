/**
 * What pages may load and run. With a nonce (scripts/serve.ts makes one for each page) inline scripts run only when they
 * carry it; without one (Next alone) all of them have to be let through. React needs `eval` in development alone.
 * Styles stay open: the component library and the editors set them inline.
 * @param {{ nonce?: string, isDevelopment: boolean }} options
 * @returns {string}
 */
export function contentSecurityPolicy({ nonce, isDevelopment }) {
  return [
    "default-src 'self'",
    `script-src 'self' ${nonce === undefined ? "'unsafe-inline'" : `'nonce-${nonce}'`}${isDevelopment ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
