import { serve } from "inngest/next";
import { callWithoutConnection, inngest } from "@/inngest/client";
import { functions } from "@/inngest/index";

export const dynamic = "force-dynamic";

// The address at which the engine calls the functions; every call is signed.
export const { GET, POST, PUT } = serve({ client: inngest, functions });

callWithoutConnection(functions);
