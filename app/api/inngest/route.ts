import { serve } from "inngest/next";
import type { NextRequest } from "next/server";
import { answerBeforeStop } from "@/inngest/calls-under-way";
import { callWithoutConnection, inngest } from "@/inngest/client";
import { functions } from "@/inngest/index";
import { MAX_JSON_BYTES } from "@/lib/domain/limits";
import { env, isRealInngestConfigured } from "@/lib/env";
import { boundBody } from "@/lib/http/bound-body";

export const dynamic = "force-dynamic";

type Handlers = ReturnType<typeof serve>;

let made: Handlers | undefined;

/** Made by the first call: a build knows no settings yet. */
function handlers(): Handlers {
  made ??= serve({ client: inngest, functions, ...originOf() });
  return made;
}

/**
 * Where the engine is told to call. By itself the SDK says the host of whichever call asks it to register, which anybody can
 * make: the engine would then call, and tell of its work, whom they name.
 */
function originOf(): { serveOrigin?: string } {
  const { INNGEST_SERVE_ORIGIN, INNGEST_DEV, APP_URL } = env();
  return isRealInngestConfigured() && !INNGEST_DEV ? { serveOrigin: INNGEST_SERVE_ORIGIN ?? APP_URL } : {};
}

/** The SDK reads and parses a whole call before it looks for its signature; the engine's own have 4 MB at most. */
function bounded(serve: Handlers["POST"], mayBeEmpty = false): Handlers["POST"] {
  return async (request, ...rest) => {
    const call = await boundBody(request, { maxBytes: MAX_JSON_BYTES, isJson: true, mayBeEmpty });
    // The SDK asks for nothing that Next adds to a request.
    return call instanceof Response ? call : serve(call as NextRequest, ...rest);
  };
}

// The address at which the engine calls the functions; every call is signed.
export const GET: Handlers["GET"] = (...call) => handlers().GET(...call);
export const POST = bounded((...call) => answerBeforeStop(handlers().POST(...call)));
// What asks to register says nothing.
export const PUT = bounded((...call) => handlers().PUT(...call), true);

callWithoutConnection(functions);
