import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/lib/panel/auth-options";

// Sign-in of people: next-auth's own paths.
const serve = (request: NextRequest, context: unknown): Promise<Response> => NextAuth(authOptions())(request, context);

export { serve as GET, serve as POST };
