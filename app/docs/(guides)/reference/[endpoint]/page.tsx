import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EndpointPage } from "@/components/docs/reference/endpoint-page";
import { asOpenApi } from "@/components/docs/reference/openapi";
import { type ReferenceEndpoint, referenceEndpoint } from "@/components/docs/reference/reference-endpoint";
import { makeSnippets } from "@/components/playground/make-snippets";
import { CONSOLE_PATH, playgroundAddress } from "@/components/playground/playground-address";
import { type CallValues, exampleValues, keyOf, makeCall } from "@/components/playground/playground-call";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { describeForPlayground, type PlaygroundEndpoint } from "@/lib/contracts/playground";
import { env } from "@/lib/env";
import { liveOpenApi } from "@/lib/http/live-openapi";

interface Props {
  params: Promise<{ endpoint: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { method, base, path, summary } = await endpointOf(params);
  return { title: `${method} ${base}${path}`, description: summary.replaceAll("`", "") };
}

/** One endpoint in full, at an address of its own. */
export default async function ReferenceEndpointPage({ params }: Props) {
  const endpoint = await endpointOf(params);
  const callable = describeForPlayground(ENDPOINTS).find(({ id }) => id === endpoint.id);
  if (!callable) throw new Error(`${endpoint.id} is in the document, and not among the endpoints.`);
  const values = { ...placeholders(callable), ...exampleValues(callable) };
  const call = makeCall(callable, values, callable.file?.exampleNames);
  return (
    <EndpointPage
      consoleHref={playgroundAddress(CONSOLE_PATH, callable, {})}
      endpoint={endpoint}
      snippets={makeSnippets(call, env().APP_URL)}
    />
  );
}

/** What has to be put into the address: `SESSION_ID` for `{sessionId}`. */
function placeholders({ fields }: PlaygroundEndpoint): CallValues {
  const inPath = fields.filter(({ place }) => place === "path");
  return Object.fromEntries(inPath.map((field) => [keyOf(field), field.name.replace(/(?=[A-Z])/g, "_").toUpperCase()]));
}

async function endpointOf(params: Props["params"]): Promise<ReferenceEndpoint> {
  return referenceEndpoint(asOpenApi(liveOpenApi()), (await params).endpoint) ?? notFound();
}
