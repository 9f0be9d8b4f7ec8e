import { getAccountEndpoint } from "@/lib/contracts/account";
import { startBatchEndpoint } from "@/lib/contracts/batch";
import {
  cancelChatSessionEndpoint,
  getChatSessionEndpoint,
  listChatSessionsEndpoint,
  startChatEndpoint,
  streamChatSessionEndpoint,
} from "@/lib/contracts/chat";
import { deleteChatSessionEndpoint, deleteProcessEndpoint } from "@/lib/contracts/deletions";
import { getDocsEndpoint, getOpenApiEndpoint } from "@/lib/contracts/docs";
import type { EndpointDefinition } from "@/lib/contracts/endpoint-definition";
import { getHealthEndpoint, getLivenessEndpoint, getReadinessEndpoint } from "@/lib/contracts/health";
import {
  cancelProcessEndpoint,
  downloadProcessEndpoint,
  getProcessEndpoint,
  listProcessesEndpoint,
  startProcessEndpoint,
} from "@/lib/contracts/process";
import { retryChatSessionEndpoint, retryProcessEndpoint } from "@/lib/contracts/retries";
import { sendEndpoint } from "@/lib/contracts/send";
import { createStreamLinkEndpoint, followStreamLinkEndpoint } from "@/lib/contracts/stream-links";
import {
  createTemplateEndpoint,
  deleteTemplateEndpoint,
  getTemplateEndpoint,
  listTemplatesEndpoint,
  listTemplateVersionsEndpoint,
  updateTemplateEndpoint,
  uploadTemplateEndpoint,
} from "@/lib/contracts/templates";
import { createUploadEndpoint } from "@/lib/contracts/uploads";
import { getUsageEndpoint } from "@/lib/contracts/usage";
import { createWebhookEndpoint, testWebhookEndpoint } from "@/lib/contracts/webhooks";

/** Every endpoint of the API, in the order in which the documents show them. A test holds it against the routes. */
export const ENDPOINTS: readonly EndpointDefinition[] = [
  getHealthEndpoint,
  getLivenessEndpoint,
  getReadinessEndpoint,
  startProcessEndpoint,
  startBatchEndpoint,
  listProcessesEndpoint,
  getProcessEndpoint,
  downloadProcessEndpoint,
  cancelProcessEndpoint,
  retryProcessEndpoint,
  deleteProcessEndpoint,
  createUploadEndpoint,
  startChatEndpoint,
  listChatSessionsEndpoint,
  getChatSessionEndpoint,
  streamChatSessionEndpoint,
  createStreamLinkEndpoint,
  followStreamLinkEndpoint,
  cancelChatSessionEndpoint,
  retryChatSessionEndpoint,
  deleteChatSessionEndpoint,
  sendEndpoint,
  listTemplatesEndpoint,
  createTemplateEndpoint,
  uploadTemplateEndpoint,
  getTemplateEndpoint,
  updateTemplateEndpoint,
  deleteTemplateEndpoint,
  listTemplateVersionsEndpoint,
  getAccountEndpoint,
  getUsageEndpoint,
  createWebhookEndpoint,
  testWebhookEndpoint,
  getDocsEndpoint,
  getOpenApiEndpoint,
];
