import { Guide, GuidePart, Points, Text } from "@/components/docs/guide";
import { SnippetTabs } from "@/components/docs/snippet-tabs";
import { generatedClientSnippets } from "@/components/docs/snippets/generated-client";
import { QuickStart } from "@/components/home/quick-start";

/** From an empty terminal to an answer, and a typed client. */
export function QuickStartGuide({ hostUrl, hasDemoAccount }: { hostUrl: string; hasDemoAccount: boolean }) {
  const snippets = generatedClientSnippets(hostUrl);
  return (
    <Guide
      lead="From an empty terminal to a first streamed answer, against this server. Paste the steps in order."
      title="Quick start"
    >
      <GuidePart id="steps" title="Four steps">
        <QuickStart apiUrl={`${hostUrl}/api/v1`} hasDemoAccount={hasDemoAccount} />
      </GuidePart>
      <GuidePart id="authentication" title="Keys">
        <Text>
          Send the key with every call, in either of two ways; only `GET /health`, the two probes below it and
          `/openapi.json` need none.
        </Text>
        <Points
          items={[
            "`X-API-Key: bld_…` or `Authorization: Bearer bld_…`.",
            "Keys are made in the panel, API Keys, once the company is verified. The full key is shown once.",
            "Each key has permissions: `process`, `chat`, `templates`, `b2bSend`. A call without the right one is a 403 that names it.",
            "A key may have a limit: so many credits a month, then 402 `KEY_LIMIT_REACHED`. Give one to a test system. So may a project, in Settings: `PROJECT_LIMIT_REACHED`.",
            "A key may be bound to the addresses of your servers, such as `203.0.113.0/24`: from elsewhere it is refused with 403 `ADDRESS_NOT_ALLOWED`, and useless to whoever finds it.",
            "Keep keys on your server: never in an app or a web page. Change them about every 90 days.",
          ]}
        />
      </GuidePart>
      <GuidePart id="generate-a-client" title="Generate a client">
        <Text>
          The OpenAPI document is made from the definitions that the routes run on, so generated clients fit. These two
          lines were tried with openapi-typescript 7 and openapi-fetch 0.17. A client made by @hey-api/openapi-ts 0.99
          was tried too: it sends files and follows streams by itself. Other languages have their own generators.
        </Text>
        <SnippetTabs group={snippets.generate} />
        <SnippetTabs group={snippets.use} />
        <Text>
          The two calls for webhooks are at the host itself, without `/api/v1`: the document says so at their paths,
          which not every generator heeds. Give a client for them the host alone as `baseUrl`.
        </Text>
      </GuidePart>
    </Guide>
  );
}
