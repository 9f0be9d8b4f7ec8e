import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { ModelOrders } from "@/e2e/support/model-server-orders";
import { smallPicture } from "@/e2e/support/small-picture";
import { sampleMp3, sampleMp4 } from "@/lib/ai/files/samples/sample-sound";

const PICTURE = smallPicture(64, 48);

/** What the test model makes: the same bytes for the same order, always. */
export function madeImage(): Buffer {
  return PICTURE;
}

/** The text that was spoken stands in it. */
export function madeSpeech(text: string): Buffer {
  return sampleMp3({ seconds: 1, speech: text });
}

/** The prompt stands in it. */
export function madeVideo(prompt: string): Buffer {
  return sampleMp4({ seconds: 4, speech: prompt }, { tracks: ["soun", "vide"] });
}

/** A video on the test model's side. */
interface VideoJob {
  id: string;
  prompt: string;
  /** How often it was asked after. */
  questions: number;
}

export interface OutputState {
  jobs: Map<string, VideoJob>;
  /** By idempotency key, which this provider heeds. */
  jobsByKey: Map<string, VideoJob>;
}

export interface OutputCall {
  path: string;
  method: string;
  body: Record<string, unknown>;
  orders: ModelOrders;
  idempotencyKey: string | undefined;
  baseUrl: string;
}

const VIDEO_PATH = /^\/v1\/videos\/([\w-]+)(\/content)?$/;
/** Pictures that answers name by address. */
const PICTURE_PATH = "/pictures/1.png";

/** Whether the path belongs to an endpoint that makes something. */
export function isOutputPath(path: string): boolean {
  return (
    path === "/v1/images/generations" ||
    path === "/v1/audio/speech" ||
    path.startsWith("/v1/videos") ||
    path === PICTURE_PATH
  );
}

/** The words that an order to these endpoints is about; orders in them are written ((so)), as they stand in JSON in a message. */
export function promptOf(state: OutputState, path: string, body: Record<string, unknown>): string {
  const jobId = VIDEO_PATH.exec(path)?.[1];
  const text = jobId === undefined ? String(body.prompt ?? body.input ?? "") : (state.jobs.get(jobId)?.prompt ?? "");
  return text.replace(/\(\(([^()]*)\)\)/g, "[[$1]]");
}

/** Answers one call of an endpoint that makes something. */
export async function sendOutput(
  response: ServerResponse,
  call: OutputCall,
  state: OutputState,
  prompt: string,
): Promise<void> {
  const { path, method, orders } = call;
  if (path === PICTURE_PATH) return sendBytes(response, "image/png", madeImage(), orders);
  if (path === "/v1/images/generations" && method === "POST") return sendJson(response, 200, pictureAnswer(call));
  if (path === "/v1/audio/speech" && method === "POST") {
    const bytes = orders.isNoMedia ? Buffer.from("this is no sound") : madeSpeech(String(call.body.input));
    return sendBytes(response, "audio/mpeg", bytes, orders);
  }
  if (path === "/v1/videos" && method === "POST")
    return sendJson(response, 200, videoRecord(beginVideo(state, call), "queued"));
  const [, id = "", content] = VIDEO_PATH.exec(path) ?? [];
  const job = state.jobs.get(id);
  if (!job || method !== "GET") return sendJson(response, 404, { error: { message: "not found" } });
  if (content) {
    const bytes = orders.isNoMedia ? Buffer.from("this is no video") : madeVideo(prompt);
    return sendBytes(response, "video/mp4", bytes, orders);
  }
  job.questions += 1;
  sendJson(response, 200, videoRecord(job, videoStatus(job, orders)));
}

function pictureAnswer({ orders, baseUrl }: OutputCall) {
  const address =
    orders.pictureAddress === "own" ? `${baseUrl.replace(/\/v1$/, "")}${PICTURE_PATH}` : orders.pictureAddress;
  if (address !== undefined) return { created: 1_700_000_000, data: [{ url: address }] };
  const bytes = orders.isNoMedia ? Buffer.from("<svg onload=alert(1)>") : madeImage();
  return { created: 1_700_000_000, data: [{ b64_json: bytes.toString("base64") }] };
}

function beginVideo(state: OutputState, { body, idempotencyKey }: OutputCall): VideoJob {
  const known = idempotencyKey === undefined ? undefined : state.jobsByKey.get(idempotencyKey);
  const job = known ?? { id: `video_${randomUUID().replaceAll("-", "")}`, prompt: String(body.prompt), questions: 0 };
  state.jobs.set(job.id, job);
  if (idempotencyKey !== undefined) state.jobsByKey.set(idempotencyKey, job);
  return job;
}

function videoStatus({ questions }: VideoJob, orders: ModelOrders): string {
  if (questions <= (orders.videoQuestions ?? 1)) return "in_progress";
  return orders.isVideoFailing ? "failed" : "completed";
}

function videoRecord({ id, prompt }: VideoJob, status: string) {
  const error = status === "failed" ? { code: "moderation_blocked", message: "SECRET-PROVIDER-TEXT" } : null;
  return { id, object: "video", model: "sora-2", status, progress: 50, prompt, seconds: "4", size: "1280x720", error };
}

async function sendBytes(response: ServerResponse, type: string, bytes: Buffer, orders: ModelOrders): Promise<void> {
  response.writeHead(200, { "content-type": type });
  const size = orders.sizeCharacters ?? bytes.length;
  const whole = size <= bytes.length ? bytes : Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
  const half = Math.ceil(whole.length / 2);
  response.write(whole.subarray(0, half));
  if (orders.chunkMs) await delay(orders.chunkMs);
  if (orders.fault?.kind === "break") response.socket?.resetAndDestroy();
  else if (orders.fault?.kind !== "stall") response.end(whole.subarray(half));
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
