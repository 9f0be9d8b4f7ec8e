import type { OpenAI } from "openai";
import type { Video } from "openai/resources/videos";
import { modelError } from "@/lib/ai/explain-model-error";
import type { MadeBytes, MakeOptions, VideoOrder, VideoState } from "@/lib/ai/model-message";
import { headersOf } from "@/lib/ai/tools/make-image";
import { type CallLimits, callProvider, openProviderFile, refusedOutput } from "@/lib/ai/tools/output-calls";

const SIZES = { landscape: "1280x720", portrait: "720x1280" } as const;

/** Begins a video; returns the provider's name of the work. */
export async function beginVideo(
  client: OpenAI,
  { model, prompt, seconds, shape }: VideoOrder,
  options: MakeOptions,
  limits: CallLimits,
): Promise<string> {
  const form = await encodeForm({ model, prompt, seconds: String(seconds), size: SIZES[shape] });
  const job = await callProvider("video", options, limits, (signal) =>
    client.post<Video>("/videos", {
      body: form.body,
      signal,
      headers: { "Content-Type": form.type, ...headersOf(options).headers },
    }),
  );
  if (typeof job?.id !== "string" || !JOB_ID.test(job.id)) throw modelError("MODEL_UNAVAILABLE", {});
  return job.id;
}

/** The endpoint takes forms. The client would build one of another kind than our transport sends. */
async function encodeForm(fields: Record<string, string>): Promise<{ body: Uint8Array; type: string }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const encoded = new Response(form);
  return { type: encoded.headers.get("content-type") ?? "", body: new Uint8Array(await encoded.arrayBuffer()) };
}

/** It becomes a part of an address. */
const JOB_ID = /^[\w.:~-]{1,200}$/;

/** Asks once how far a video is. */
export async function askForVideo(
  client: OpenAI,
  jobId: string,
  options: MakeOptions,
  limits: CallLimits,
): Promise<VideoState> {
  const job = await callProvider("video", options, limits, (signal) => client.videos.retrieve(jobId, { signal }));
  if (job?.status === "completed") return { status: "completed" };
  // Also what some servers say of work that somebody ended there.
  if (FAILED.has(String(job?.status))) throw refusedOutput("video", job?.error);
  return { status: "working" };
}

const FAILED = new Set(["failed", "cancelled", "canceled", "expired"]);

/** The bytes of a completed video. */
export function fetchVideo(
  client: OpenAI,
  jobId: string,
  options: MakeOptions,
  limits: CallLimits,
): Promise<MadeBytes> {
  return openProviderFile("video", options, limits, (signal) =>
    client.videos.downloadContent(jobId, {}, { signal }).asResponse(),
  );
}
