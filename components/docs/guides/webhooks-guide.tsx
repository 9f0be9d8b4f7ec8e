import { Facts, Guide, GuidePart, Points, Text } from "@/components/docs/guide";
import { SnippetTabs } from "@/components/docs/snippet-tabs";
import { VERIFY_FRESHNESS } from "@/components/docs/snippets/webhook-freshness";
import { RECEIVER } from "@/components/docs/snippets/webhook-receiver";
import { webhookSetupSnippets } from "@/components/docs/snippets/webhook-setup";
import { SIGNATURE_VECTOR, VERIFY_SIGNATURE } from "@/components/docs/snippets/webhook-signature";
import { CodeBlock } from "@/components/ui/code-block";

const EVENTS: [string, string][] = [
  ["completion", "The AI finished; `output` holds the answer, or `downloadUrl` leads to it."],
  ["error", "A turn failed for good; `error` and `errorCode` say why."],
  ["session.started", "A new session was created."],
  ["session.timeout", "A session expired after 2 hours without activity; `lastActivityAt` says since when."],
  [
    "tokens.exceeded",
    "The plan’s tokens for this month are used up; once per month, to the receivers of all your projects. With `tokensUsed`, `tokenLimit` and `periodEnd`.",
  ],
];

const HEADERS: [string, string][] = [
  ["X-Service-Signature", "HMAC-SHA256 of the raw body in hex; the key is the secret as shown, `whsec_` included."],
  ["X-Service-Event", "The event, such as `completion`."],
  ["X-Service-Delivery", "A UUID, the same for every try of a delivery. Process each once."],
  ["webhook-id", "The same UUID, as Standard Webhooks names it."],
  ["webhook-timestamp", "When this try was sent, in seconds since 1970."],
  [
    "webhook-signature",
    "`v1,` and HMAC-SHA256 of `id.timestamp.body` in base64; the key is the secret’s base64 part. One entry per secret, with spaces between.",
  ],
];

interface WebhooksGuideProps {
  hostUrl: string;
  /** A completion event as it is sent. */
  sampleEvent: object;
}

/** How to get results by webhook, and how to know that they are ours. */
export function WebhooksGuide({ hostUrl, sampleEvent }: WebhooksGuideProps) {
  const snippets = webhookSetupSnippets(hostUrl);
  return (
    <Guide
      lead="The service calls your server when something is done. Verify every call before you use it."
      title="Webhooks"
    >
      <GuidePart id="register" title="Register a receiver">
        <Text>
          An HTTPS address on the public internet: put it into `RECEIVER_URL` first. The first line asks for your
          account’s id, which the panel shows too. The answer of the second (`echo "$WEBHOOK"`) shows the secret that
          signs its deliveries; the panel, Webhooks, can show it again. A project has at most 500 webhooks.
        </Text>
        <SnippetTabs group={snippets.register} />
        <SnippetTabs group={snippets.test} />
        <Text>Or for one call alone. Callbacks are signed with the project’s callback secret from the panel:</Text>
        <SnippetTabs group={snippets.callback} />
      </GuidePart>
      <GuidePart id="events" title="Events">
        <Facts label="Events" names={["Event", "When"]} rows={EVENTS} />
        <Text>
          Every event has `type`, `sessionId`, `endUserId`, `templateId`, `status` and `timestamp`, null where there is
          none; one that was sent to try a receiver out has `"test": true`. The OpenAPI document has the body of each
          event under `webhooks`, for generators of types. Fields may be added: leave alone what you do not know.
        </Text>
        <Text>
          To know at once which of your orders, tickets or files an event is about, send `reference` with the call: up
          to 200 characters on one line, with no spaces around them. It comes back in each event, in the record and at
          the end of the stream, even where the event is there before the answer to your call. Later calls of the
          session keep it, or send another. `GET /process` and `GET /chat/sessions` find by it, and so does the panel.
        </Text>
        <CodeBlock
          code={JSON.stringify(sampleEvent, null, 2)}
          label="an example event"
          language="json"
          title="The body of a completion"
        />
      </GuidePart>
      <GuidePart id="headers" title="Headers">
        <Facts label="Headers of a delivery" names={["Header", "Content"]} rows={HEADERS} />
      </GuidePart>
      <VerifyPart />
      <GuidePart id="rules" title="Deliveries">
        <Points
          items={[
            "Any 2xx is success. Answer within five seconds, then work; after ten we give up that try. Redirects are not followed.",
            "Five tries: at once, then 30 s, 5 min, 30 min and 2 h after the one before.",
            "After the fifth, the receiver is marked `failed`, the panel shows an alert, of which owners and admins get a mail where the service sends mails, and your team a message in its chat where an owner set one, and nothing more is sent until you switch it on again. What came in between is kept and can be sent again.",
            "A webhook that was added later can get past events, in the panel under its Past events: those that went to other receivers, with the bytes they had. Each is a delivery of its own there, with another `X-Service-Delivery`.",
            "Events may come twice or out of order: go by `X-Service-Delivery` and `timestamp`.",
          ]}
        />
      </GuidePart>
      <GuidePart id="rotation" title="Change the secret">
        <Points
          items={[
            "Rotate it in the panel. For 24 hours both secrets sign: the new one in `X-Service-Signature`, both in `webhook-signature`.",
            "Give your receiver both, as the code above takes them, and take the old one out afterwards. A receiver that checks `webhook-signature` misses nothing even while it knows only the old one.",
          ]}
        />
      </GuidePart>
      <LocalPart />
    </Guide>
  );
}

function VerifyPart() {
  const { secret, body, headers } = SIGNATURE_VECTOR;
  const vector = [`secret  ${secret}`, `body    ${body}`, ...Object.entries(headers).map((pair) => pair.join(": "))];
  return (
    <GuidePart id="verify" title="Verify">
      <Text>
        Take the bytes as they came, before any parser: JSON that was read and written again has another signature.
        Compare in constant time, and answer 401 when it does not fit. The simplest check:
      </Text>
      <SnippetTabs group={VERIFY_SIGNATURE} />
      <Text>
        The better one also refuses replays, because the time is signed along. Every try has a time of its own, so late
        retries pass. Libraries for Standard Webhooks do the same.
      </Text>
      <SnippetTabs group={VERIFY_FRESHNESS} />
      <SnippetTabs group={RECEIVER} />
      <Text>To try your own code: these belong together, byte for byte (without a line break at the end).</Text>
      <CodeBlock code={vector.join("\n")} label="a signed example" language="json" title="A signed example" />
    </GuidePart>
  );
}

function LocalPart() {
  return (
    <GuidePart id="local" title="Try it on your machine">
      <Text>
        Beside a server that runs with `npm run dev` or with `OUTBOUND_ALLOWED_HOSTS=localhost npm start`, this starts
        an HTTPS receiver that checks and shows every delivery. It prints the address to register. Callbacks have a
        secret of their own: give it both, with a comma between.
      </Text>
      <CodeBlock
        code={`npm run webhooks:listen -- --secret whsec_…

# A bad receiver, to watch the retries:
npm run webhooks:listen -- --status 500 --delay 3`}
        label="the command of the local receiver"
        language="shell"
        title="Terminal"
      />
    </GuidePart>
  );
}
