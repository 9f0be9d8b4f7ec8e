import type { OpenAI } from "openai";
import type { ImageGenerateParamsNonStreaming } from "openai/resources/images";
import { readWhole } from "@/lib/ai/endless-answer";
import { modelError } from "@/lib/ai/explain-model-error";
import type { ImageOrder, MadeBytes, MakeOptions } from "@/lib/ai/model-message";
import { type CallLimits, callProvider, openProviderFile, unsupportedOutput } from "@/lib/ai/tools/output-calls";

/** A picture in base64 within a JSON body: the largest that is held. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** One call of the image endpoint; the picture comes in the answer, or from an address on the same server. */
export async function makeImage(
  client: OpenAI,
  order: ImageOrder,
  options: MakeOptions,
  limits: CallLimits,
): Promise<MadeBytes> {
  const image = await callProvider("picture", options, limits, async (signal) => {
    const response = await client.images.generate(toRequest(order), { signal, ...headersOf(options) }).asResponse();
    return firstImage(await readWhole(response, MAX_ANSWER_BYTES, unusable));
  });
  if (image.base64 !== undefined) return inOnePiece(Buffer.from(image.base64, "base64"));
  const url = ownAddress(image.url, client.baseURL);
  return openProviderFile("picture", options, limits, (signal) =>
    client.get(url, { signal, __binaryResponse: true, fetchOptions: { redirect: "error" } }).asResponse(),
  );
}

/** The header that tells a provider of a retry. */
export function headersOf({ idempotencyKey }: MakeOptions): { headers?: Record<string, string> } {
  return idempotencyKey === undefined ? {} : { headers: { "Idempotency-Key": idempotencyKey } };
}

const SIZES = { square: "1024x1024", landscape: "1536x1024", portrait: "1024x1536" } as const;

/** The provider's own models have a set price at a set quality and refuse a format; others may send addresses unless asked. */
function toRequest({ model, prompt, shape }: ImageOrder): ImageGenerateParamsNonStreaming {
  const isProvidersOwn = /(^|\/)(chat)?gpt-image/i.test(model);
  const manner = isProvidersOwn ? { quality: "medium" as const } : { response_format: "b64_json" as const };
  return { model, prompt, size: SIZES[shape], n: 1, ...manner };
}

function firstImage(text: string): { base64?: string; url?: string } {
  const image = (parse(text) as { data?: { b64_json?: unknown; url?: unknown }[] } | null)?.data?.[0];
  if (typeof image?.b64_json === "string" && image.b64_json !== "") return { base64: image.b64_json };
  if (typeof image?.url !== "string" || image.url === "") throw unusable();
  const inline = /^data:[^,]{0,100};base64,/.exec(image.url);
  return inline ? { base64: image.url.slice(inline[0].length) } : { url: image.url };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw modelError("MODEL_UNAVAILABLE", { cause, isRetryable: true });
  }
}

/** An address that the answer names is foreign text: nothing but the model server itself is asked for it. */
function ownAddress(address: string | undefined, baseUrl: string): string {
  const base = new URL(baseUrl);
  const url = URL.parse(address ?? "", base);
  if (!url || url.origin !== base.origin || url.username !== "" || url.password !== "") throw unusable();
  return url.href;
}

function unusable() {
  return unsupportedOutput("picture", new Error("no picture in a usable form"));
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
