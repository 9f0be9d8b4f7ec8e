import { serve } from "inngest/next";
import type { NextRequest } from "next/server";
import { callWithoutConnection, inngest } from "@/inngest/client";
import { functions } from "@/inngest/index";

export const dynamic = "force-dynamic";

// The address at which the engine calls the functions; every call is signed.
export const { GET, POST, PUT } = serve({ client: inngest, functions });

callWithoutConnection((request) => POST(request as NextRequest, undefined));
