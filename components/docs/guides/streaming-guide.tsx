import { Facts, Guide, GuidePart, Points, Text } from "@/components/docs/guide";
import { SnippetTabs } from "@/components/docs/snippet-tabs";
import { streamingSnippets } from "@/components/docs/snippets/streaming";

const EVENTS: [string, string][] = [
  ["status", "First, always: `{ sessionId, status }`. It has no id."],
  ["chunk", "`{ sessionId, delta }`: text to append."],
  ["reset", "`{ sessionId }`: the model is asked once more. Drop what came before in this turn."],
  ["completed", "The whole result, as in the completion webhook. All `delta`s joined equal its `output`."],
  ["error", "`{ sessionId, error: { code, message } }`: the turn failed for good, or was canceled."],
  [": ping", "A comment, every 15 seconds of silence: the line is alive."],
];

/** How to read a stream. */
export function StreamingGuide({ apiUrl }: { apiUrl: string }) {
  const snippets = streamingSnippets(apiUrl);
  return (
    <Guide lead="Server-sent events, from the first chunk of the latest turn to its end." title="Streaming">
      <GuidePart id="follow" title="Follow an answer">
        <Text>
          Connect before, during or after the answer: the stream always begins with the turn’s first chunk. It works for
          chats and for files alike.
        </Text>
        <SnippetTabs group={snippets.follow} />
      </GuidePart>
      <GuidePart id="events" title="Events">
        <Facts label="Events of a stream" names={["Event", "Data"]} rows={EVENTS} />
      </GuidePart>
      <GuidePart id="resume" title="After a break">
        <Points
          items={[
            "Send the last event’s id as `Last-Event-ID` or `?after=`: the stream goes on without gap or repeat, on any server.",
            "A line can also go silent without a word, as behind a network that forgot it. No event and no `: ping` for a minute: connect again.",
            "The stream goes on in the turn of that event, also when newer ones were sent meanwhile: no turn’s end is missed.",
            "Exactly one `completed` or `error` ends a turn; then the server closes.",
            "Reconnecting after that event goes on with the next turn; 204 says that there is none, and nothing more to read.",
          ]}
        />
      </GuidePart>
      <GuidePart id="browsers" title="In your users’ browsers">
        <Text>
          Never put an API key into a page. Your server asks for a link to the session, and hands it to the page of the
          user whose session it is. The link opens that one stream and nothing else, on any site.
        </Text>
        <SnippetTabs group={snippets.link} />
        <SnippetTabs group={snippets.page} />
        <Points
          items={[
            "Streams can be opened by a link for an hour, or for `expiresInSeconds` of 60 to 7,200. One that is open goes on to the end of its turn.",
            "A link ends with its key, too: revoke the key, and within seconds its streams end. With another key, or later, get a new link.",
            "`completed` comes without `creditsUsed`, `tokensIn`, `tokensOut`, `templateId` and `reference`: what an answer costs you, and what you call it, is not your users’ business.",
            "After a break the browser connects again by itself and goes on where it was. It calls listeners for `error` when a connection breaks as well: only our event has `data`.",
            "A refusal ends that: `404` once the link has ended, `429` while 20 streams of the session are open by links, `503`. Its `readyState` is `EventSource.CLOSED` then; get a new link, and go on with `?after=` and the last event’s id.",
            "Whoever has a link can read the session by it until it ends: hand it to nobody else, and keep it out of logs. Up to 20 streams of a session may be open by links at once.",
          ]}
        />
      </GuidePart>
    </Guide>
  );
}
