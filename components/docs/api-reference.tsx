"use client";

import { type AnyApiReferenceConfiguration, ApiReferenceReact } from "@scalar/api-reference-react";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { consoleDocument, type OpenApiDocument } from "@/components/docs/console-document";
import { nameControls } from "@/components/docs/name-controls";
import { ReferenceSkeleton } from "@/components/docs/reference-skeleton";
import "@scalar/api-reference-react/style.css";
import "@/components/docs/api-reference.css";

/** Everything that would ask another server is off: fonts, counting, proxy, assistant, the hosted client. */
const NOTHING_FOREIGN: AnyApiReferenceConfiguration = {
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: "",
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
};

/** The API reference, drawn from the live OpenAPI document, with a console against this server. */
export function ApiReference({ serviceName }: { serviceName: string }) {
  const isDark = useSyncExternalStore(subscribeTheme, readIsDark, () => false);
  const { document: content, hasFailed } = useDocument();
  const configuration = useMemo<AnyApiReferenceConfiguration>(
    () => ({
      ...NOTHING_FOREIGN,
      content: content as Record<string, unknown> | undefined,
      // Our own colours: api-reference.css.
      theme: "none",
      forceDarkModeState: isDark ? "dark" : "light",
      hideDarkModeToggle: true,
      documentDownloadType: "none",
      persistAuth: false,
      authentication: { preferredSecurityScheme: "apiKey" },
      defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
      orderSchemaPropertiesBy: "preserve",
      modelsSectionLabel: "Schemas",
      setPageTitle: () => `API reference · ${serviceName}`,
    }),
    [content, isDark, serviceName],
  );
  useEffect(() => nameControls(document.body), []);
  // It sets its own mark of the theme once only.
  useEffect(() => {
    document.body.classList.toggle("dark-mode", isDark);
    document.body.classList.toggle("light-mode", !isDark);
  }, [isDark]);
  if (hasFailed) return <ReferenceFailed />;
  if (!content) return <ReferenceSkeleton />;
  return (
    <div className="api-reference">
      <ApiReferenceReact configuration={configuration} />
    </div>
  );
}

function useDocument(): { document?: OpenApiDocument; hasFailed: boolean } {
  const [state, setState] = useState<{ document?: OpenApiDocument; hasFailed: boolean }>({ hasFailed: false });
  useEffect(() => {
    const stop = new AbortController();
    fetch("/openapi.json", { signal: stop.signal })
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error(String(response.status)))))
      .then((document) => setState({ document: consoleDocument(document), hasFailed: false }))
      .catch(() => stop.signal.aborted || setState({ hasFailed: true }));
    return () => stop.abort();
  }, []);
  return state;
}

function ReferenceFailed() {
  return (
    <main className="mx-auto w-full max-w-[1120px] px-4 py-16 sm:px-6">
      <h1 className="font-semibold text-title">The reference could not be loaded</h1>
      <p className="mt-2 text-muted">
        The server did not send its OpenAPI document. Reload the page; if it stays, look at{" "}
        <a className="text-accent-text underline" href="/api/v1/health">
          its health
        </a>
        .
      </p>
    </main>
  );
}

function subscribeTheme(notify: () => void) {
  const observer = new MutationObserver(notify);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

function readIsDark() {
  return document.documentElement.dataset.theme === "dark";
}
