import { Facts, Guide, GuidePart, Points, Text } from "@/components/docs/guide";
import { SnippetTabs } from "@/components/docs/snippet-tabs";
import { listSnippets } from "@/components/docs/snippets/lists";
import { reliableCallSnippets } from "@/components/docs/snippets/reliable-calls";

const STATUSES: [string, string][] = [
  ["400, 413, 415, 422", "The call is wrong. Correct it; the same call will be refused again."],
  ["401, 403, 404", "The key, its permissions or the id do not fit."],
  ["402", "No credits or tokens left, or a limit that was set is reached."],
  ["409", "Not yet: wait a moment and ask again, unless `retryable` is false."],
  ["429", "Too many calls. Wait `Retry-After` seconds."],
  ["500, 503", "Our side. Send it again with the same `Idempotency-Key`."],
];

/** How to repeat calls, and what errors say. */
export function ReliableCallsGuide({ apiUrl }: { apiUrl: string }) {
  const snippets = reliableCallSnippets(apiUrl);
  const lists = listSnippets(apiUrl);
  return (
    <Guide
      lead="Networks break in the middle of calls. With a key of your own you can send any call again without fear."
      title="Idempotency and errors"
    >
      <GuidePart id="idempotency" title="Send it twice, start it once">
        <Text>
          Give each piece of work an `Idempotency-Key` of 1 to 255 characters. For 24 hours the same key with the same
          body gets the first answer again, to the byte, and nothing starts twice, also when both calls arrive at once.
        </Text>
        <SnippetTabs group={snippets.key} />
        <Points
          items={[
            "Every POST that starts work or creates something takes the header.",
            "The same key with another body, or another file: 422 `IDEMPOTENCY_KEY_REUSED`.",
            "Only accepted calls are kept. A refused one may be corrected and sent with its key.",
          ]}
        />
      </GuidePart>
      <GuidePart id="errors" title="Decide by the code">
        <Text>
          Every error has the same shape: `code` for your program, `message` for people, `retryable`, and a `docUrl`
          that leads to its entry in the list of errors.
        </Text>
        <Facts label="Statuses of errors" names={["Status", "What to do"]} rows={STATUSES} />
        <SnippetTabs group={snippets.retry} />
      </GuidePart>
      <GuidePart id="again" title="Try again what failed">
        <Text>
          Work that ended as `failed` or `canceled` is not lost: `POST /process/:id/retry`, or `POST
          /chat/:sessionId/retry` for a session of either kind, asks the same once more. Nothing is sent again but the
          id; the answer comes in the same session, to the same `callbackUrl`. In the panel, Sessions, the list of what
          failed is tried again by one press.
        </Text>
        <SnippetTabs group={snippets.again} />
        <Points
          items={[
            "What is under way or was answered is a 409 `NOT_READY`: no call is made twice, with or without a key.",
            "It is the session’s last call. It takes the place of the one that failed, so that `messages` has its question once.",
            "What failed is `expired` after two hours without activity, as every session is: then list `status=expired`. What was answered is refused there and costs nothing; what was canceled runs again.",
            "A file that your project keeps no longer cannot be read again: send it anew.",
            "A document that is read in parts goes on where it failed, for a day: the parts that were read are not read again, and are paid for once, with the answer.",
          ]}
        />
      </GuidePart>
      <GuidePart id="requests" title="Send what counts">
        <Points
          items={[
            "Bodies are JSON in UTF-8 or forms, without `Content-Encoding`. Leave out what you do not set: `null` is refused unless the reference names it, and so is a field that we do not know. Of a name that stands twice in one object, the last counts.",
            "Query parameters that we do not know are left alone. A field of the body in the query, or a known name in another spelling, is a 400, so that an `endUserId` is never passed over; `maxCredits` alone may stand in either.",
          ]}
        />
      </GuidePart>
      <GuidePart id="lists" title="Read a list to its end">
        <Text>
          Lists come in pages, newest first: `limit` items after the newest `offset`. Go on while `pagination.hasMore`.
          A page is of the moment of its call, so a plain count of pages repeats items and misses some:
        </Text>
        <Points
          items={[
            "What is added meanwhile pushes the rest back: items come again. Tell them by their id.",
            "What goes meanwhile pulls the rest up: as many are passed over. It goes when it is deleted, and from a list by `status` when its status changes. Begin each page with the last item of the one before; when it is not there, go back.",
            "What joins a list by `status` stands where its age puts it, which may be behind you: webhooks tell what ends, lists what there is.",
          ]}
        />
        <SnippetTabs group={lists.walk} />
      </GuidePart>
      <GuidePart id="limits" title="Rate limits">
        <Points
          items={[
            "Per key and minute, by plan. `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` (seconds) stand on every answer to a good key.",
            "Polling counts. Streams and webhooks need fewer calls.",
          ]}
        />
      </GuidePart>
      <GuidePart id="quotes" title="Ask for the price first">
        <Text>
          `?dryRun=true` says what a call would cost and starts nothing. A batch has no quote: ask `POST /process` for
          each file. `maxCredits` ends a turn as `failed` rather than let it cost more; in the panel, Settings, Project,
          such a limit can be set for every call.
        </Text>
        <Text>
          A completed turn costs what the tokens that the model read and wrote cost, rounded up to whole credits, and at
          least 1; the model’s prices stand in the panel, Settings, Project. To transcribe what is said in a file costs
          more besides. Failed and canceled turns cost nothing.
        </Text>
        <Text>
          A quote is for an answer in text. Whether the AI will make a picture, speech or a video, which cost more, is
          not known before it is asked: `maxCredits` bounds them too.
        </Text>
        <SnippetTabs group={snippets.quote} />
        <Text>
          An answer that ends before it is done is `completed` and says why: `outputCut` is `credits`, `length` (the
          model’s longest) or `filter` (the provider’s) in the completion and in `context` of the record. A whole one
          has no such field; one that ends before its first word is `failed`.
        </Text>
      </GuidePart>
    </Guide>
  );
}
