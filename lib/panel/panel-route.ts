import type { ActionFailure } from "@/lib/contracts/action-result";
import { ERROR_CODES, notFound } from "@/lib/domain/errors";
import type { PanelActionId } from "@/lib/domain/panel-actions";
import { failureOf } from "@/lib/panel/action-failure";
import { endWithPower } from "@/lib/panel/end-with-power";
import { guardPanel, Refusal } from "@/lib/panel/guard-action";
import type { PanelContext } from "@/lib/panel/panel-context";
import { AWAY_RETRY_AFTER_SECONDS } from "@/lib/services/health/is-service-away";
import { mayStill } from "@/lib/services/members/may-still";
import { setStrictTransport } from "@/lib/strict-transport";

type Params = Record<string, string | string[]>;

/**
 * A GET of the panel: CSV, a live tail, a download. It changes nothing, so that no other site's link can, but the audit
 * log, where what is taken away has its line.
 */
export type PanelRoute = (request: Request, route: { params: Promise<Params> }) => Promise<Response>;

/**
 * A route handler for the panel's own downloads and streams: checks session and role, then answers what the handler gives, for
 * as long as both stand.
 * Signed out: 401; not allowed, foreign or missing: 404; the database away: 503 with `Retry-After`; all as JSON
 * `{ error: { code, message } }`.
 */
export function panelRoute<P extends Params = Params>(
  id: PanelActionId,
  handler: (context: PanelContext, request: Request, params: P) => Promise<Response> | Response,
): PanelRoute {
  return (request, { params }) =>
    respond(id, async () => {
      const context = await guardPanel(id);
      const given = await params;
      if (!canBeThere(given)) throw notFound("This");
      const response = await handler(context, request, given as P);
      if (request.method === "HEAD") return withoutBody(response);
      const asked = { sessionId: context.session.sessionId, accountId: context.account.id };
      return endWithPower(response, () => mayStill(asked, id));
    });
}

/** Next asks GET for what it answers HEAD with, and neither reads its body nor lets go of it: a stream would stay open for good. */
async function withoutBody({ body, status, statusText, headers }: Response): Promise<Response> {
  await body?.cancel();
  return new Response(null, { status, statusText, headers });
}

/** Postgres knows no text with a NUL, and fails at looking for it. Of an address without parameters Next gives none. */
function canBeThere(given: Params | undefined): boolean {
  const texts = Object.values(given ?? {}).flat();
  return texts.every((text) => !text.includes("\u0000"));
}

async function respond(id: string, work: () => Promise<Response>): Promise<Response> {
  const response = await work().catch((error: unknown) =>
    refuse(error instanceof Refusal ? error.failure : failureOf(error, id)),
  );
  response.headers.set("X-Content-Type-Options", "nosniff");
  setStrictTransport(response.headers);
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "private, no-store");
  return response;
}

function refuse({ code, message }: ActionFailure): Response {
  const status = statusOf(code);
  const response = Response.json({ error: { code, message } }, { status });
  if (status === 503) response.headers.set("Retry-After", String(AWAY_RETRY_AFTER_SECONDS));
  return response;
}

function statusOf(code: ActionFailure["code"]): number {
  if (code === "SIGNED_OUT") return 401;
  if (code === "CONFIRM_PASSWORD") return 403;
  return ERROR_CODES[code].status;
}
