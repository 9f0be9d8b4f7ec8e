/** A page of the documents. */
export interface DocsLink {
  href: string;
  name: string;
  /** What the reader finds there. */
  text: string;
}

export interface DocsGroup {
  name: string;
  links: DocsLink[];
}

/** All documents in reading order: for the navigation and the start page. */
export const DOCS_GROUPS: DocsGroup[] = [
  {
    name: "Start",
    links: [
      { href: "/docs", name: "Overview", text: "What the service does and where to read on." },
      {
        href: "/docs/quick-start",
        name: "Quick start",
        text: "A key, a message, a stream, a file: four steps to paste.",
      },
    ],
  },
  {
    name: "Guides",
    links: [
      { href: "/docs/streaming", name: "Streaming", text: "Show the answer while it is written, without gaps." },
      { href: "/docs/files", name: "Files", text: "Send files, wait for the result, download what was made." },
      { href: "/docs/templates", name: "Templates", text: "Keep prompts on the server and fill in variables." },
      { href: "/docs/webhooks", name: "Webhooks", text: "Get results by signed HTTPS calls, and verify them." },
      {
        href: "/docs/idempotency-and-errors",
        name: "Idempotency and errors",
        text: "Repeat calls safely and know which to repeat.",
      },
      {
        href: "/docs/end-users-and-memory",
        name: "End users and memory",
        text: "Keep your customers apart, and let the AI know them.",
      },
    ],
  },
  {
    name: "Reference",
    links: [
      { href: "/docs/reference", name: "API reference", text: "Every endpoint with its fields, answers and code." },
      { href: "/docs/console", name: "Console", text: "Call any endpoint with your key, and see its real answer." },
      { href: "/docs/errors", name: "Errors", text: "Each code, what it means, and what to do about it." },
      {
        href: "/openapi.json",
        name: "OpenAPI document",
        text: "The same as JSON, made from what the routes run on.",
      },
    ],
  },
];
