import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { refuseUnreadable } from "@/app/api/auth/[...nextauth]/refuse-unreadable";
import { boundBody } from "@/lib/http/bound-body";
import { noContent } from "@/lib/http/respond";
import { authOptions } from "@/lib/panel/auth-options";

/** Much more than what a sign-in sends; next-auth would read whatever comes. */
const MAX_BODY_BYTES = 64 * 1024;
/** Where next-auth's scripts send what went wrong in a browser: anybody could write into the log by it. */
const REPORTS_PATH = "/api/auth/_log";

// Sign-in of people: next-auth's own paths.
const serve = async (request: NextRequest, context: unknown): Promise<Response> => {
  if (request.nextUrl.pathname === REPORTS_PATH) return noContent();
  const refused = await refuseUnreadable(request);
  if (refused) return refused;
  // As next-auth tells it; anything else it takes for a form.
  const isJson = request.headers.get("content-type")?.includes("application/json") ?? false;
  const bounded = await boundBody(request, { maxBytes: MAX_BODY_BYTES, isJson });
  if (bounded instanceof Response) return bounded;
  // Next hands in a stand-in for its request, of which no other one can be made.
  return NextAuth(authOptions())(bounded === request ? request : new NextRequest(bounded), context);
};

export { serve as GET, serve as POST };
