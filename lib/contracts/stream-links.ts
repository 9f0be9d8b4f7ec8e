import { z } from "zod";
import { STREAM, sessionParams } from "@/lib/contracts/chat";
import { defineEndpoint } from "@/lib/contracts/endpoint-definition";
import * as fields from "@/lib/contracts/fields";
import { sessionFilters } from "@/lib/contracts/lists";
import {
  MAX_STREAM_LINK_CHARACTERS,
  MAX_STREAM_LINK_SECONDS,
  MIN_STREAM_LINK_SECONDS,
  STREAM_LINK_SECONDS,
  STREAMS_PER_LINKED_SESSION,
} from "@/lib/domain/limits";

/** (beyond) Streams for clients' own pages, in which no API key may stand (docs/decisions/0047). */

export const createStreamLinkBody = z.strictObject({
  endUserId: sessionFilters.endUserId,
  expiresInSeconds: fields
    .wholeNumber(MIN_STREAM_LINK_SECONDS, MAX_STREAM_LINK_SECONDS)
    .default(STREAM_LINK_SECONDS)
    .meta({ description: "How long streams may be opened by the link." }),
});

export const createStreamLinkResponse = z
  .object({
    url: z.string().meta({ description: "For `EventSource`, on any page. Needs no API key.", format: "uri" }),
    expiresAt: fields.timestamp("Streams have to be opened before; one that is open goes on."),
  })
  .meta({ id: "StreamLink" });

export type CreateStreamLinkResponse = z.output<typeof createStreamLinkResponse>;

export const createStreamLinkEndpoint = defineEndpoint({
  method: "POST",
  path: "/chat/:sessionId/stream-links",
  operationId: "createStreamLink",
  tags: ["Chat"],
  summary: "Get an address at which a page of yours follows this session, without a key.",
  description: [
    "Give `url` to the page of the user whose session it is: it reads that session's stream and nothing else, without what it",
    "costs. It works until `expiresAt`, and no longer than the API key that asked for it and the session.",
  ].join(" "),
  auth: "key",
  permission: "chat",
  params: sessionParams,
  query: z.object({ endUserId: sessionFilters.endUserId }),
  body: {
    kind: "json",
    schema: createStreamLinkBody,
    isOptional: true,
    example: { expiresInSeconds: 600 },
  },
  response: {
    status: 200,
    description: "The address. Nothing is stored.",
    schema: createStreamLinkResponse,
    example: {
      url: "https://service.example/api/v1/streams/v1.k3Jq0w8nE5xTzB1c",
      expiresAt: "2026-01-31T09:40:00.000Z",
    },
  },
  errors: ["NOT_FOUND"],
});

export const followStreamLinkEndpoint = defineEndpoint({
  method: "GET",
  path: "/streams/:ticket",
  operationId: "followStreamLink",
  tags: ["Chat"],
  summary: "Follow a session by a link, from a page of any site.",
  description: [
    "What POST /chat/:sessionId/stream-links gave as `url`. Events and resuming are those of GET /chat/:sessionId/stream;",
    "`completed` comes without `creditsUsed`, `tokensIn`, `tokensOut`, `templateId` and `reference`. At most",
    `${STREAMS_PER_LINKED_SESSION} of a session may be open by links in each process.`,
  ].join(" "),
  auth: "none",
  permission: null,
  isForPages: true,
  params: z.object({
    ticket: z
      .string()
      .refine((text) => text.length <= MAX_STREAM_LINK_CHARACTERS, "The link")
      .meta({ description: "As the link has it." }),
  }),
  query: z.object({ after: STREAM.after }),
  requestHeaders: STREAM.requestHeaders,
  response: STREAM.response,
  otherResponses: STREAM.otherResponses,
  errors: ["NOT_FOUND", "RATE_LIMITED"],
});
