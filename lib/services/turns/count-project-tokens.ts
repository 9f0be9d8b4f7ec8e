import { db } from "@/lib/db/pool";
import { knowledgeBudgetTokens, knowledgeFileCost } from "@/lib/domain/knowledge-budget";
import { MAX_PROFILE_CHARACTERS } from "@/lib/domain/memory-rules";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import type { Principal } from "@/lib/domain/principal";
import { buildSystemPrompt } from "@/lib/domain/prompt-blocks";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/process-singleton";

/**
 * Estimated tokens that the service adds to a call for its project: house rules, the project's instructions and as much of
 * its knowledge as goes along, the end user's memory at its longest. For reservations: from memory, some seconds old, so
 * that accepting a call waits for no query.
 */
export async function countProjectTokens(
  { projectId, model }: Pick<Principal, "projectId" | "model">,
  call: { inputTokens: number; endUserId?: string; sessionId?: string },
): Promise<number> {
  const { systemTokens, knowledgeTokens, isMemoryOn } = await recall(projectId);
  const window = inputBudgetTokens(findModel(model ?? env().DEFAULT_MODEL));
  const knowledge = Math.min(knowledgeTokens, knowledgeBudgetTokens(window, systemTokens + call.inputTokens));
  // Whose an earlier session is, is not known here: it may be an end user's.
  const isRemembered = isMemoryOn && (call.endUserId ?? call.sessionId) !== undefined;
  return systemTokens + knowledge + (isRemembered ? MEMORY_TOKENS : 0);
}

/** A quarter of its characters, and the words around it. */
const MEMORY_TOKENS = MAX_PROFILE_CHARACTERS / 4 + 40;

interface ProjectTokens {
  systemTokens: number;
  /** Of all files. */
  knowledgeTokens: number;
  isMemoryOn: boolean;
}

interface Remembered {
  value: Promise<ProjectTokens>;
  askedAt: number;
}

const FRESH_MS = 2_000;
const MAX_REMEMBERED_PROJECTS = 10_000;

/** Calls that come while the figures are a little old get those, and the first of them has new ones read. */
function recall(projectId: string): Promise<ProjectTokens> {
  const remembered = processSingleton("project-tokens", () => new Map<string, Remembered>());
  const known = remembered.get(projectId);
  const now = performance.now();
  if (known && now - known.askedAt < FRESH_MS) return known.value;
  if (!known && remembered.size >= MAX_REMEMBERED_PROJECTS) remembered.clear();
  const value = readProject(projectId);
  // One that fails is forgotten: the next call asks again.
  value.catch(() => remembered.delete(projectId));
  if (!known) {
    remembered.set(projectId, { value, askedAt: now });
    return value;
  }
  // The old figures stand until the new ones are there.
  remembered.set(projectId, { value: known.value, askedAt: now });
  value.then(
    () => remembered.set(projectId, { value, askedAt: now }),
    () => {},
  );
  return known.value;
}

/** What a name of the usual length takes. */
const USUAL_PATH = "products/prices-and-terms.md";

async function readProject(projectId: string): Promise<ProjectTokens> {
  const { rows } = await db().query<{
    systemPrompt: string | null;
    isMemoryOn: boolean;
    files: number;
    tokens: number;
  }>({
    name: "project-tokens",
    text: `
      SELECT p.system_prompt AS "systemPrompt", p.api_memory_per_user AS "isMemoryOn",
             k.files, k.tokens
      FROM projects p, LATERAL (
        SELECT count(*)::int AS files, coalesce(sum(token_count), 0)::int AS tokens
        FROM knowledge_files WHERE project_id = p.id AND p.api_enabled
      ) k
      WHERE p.id = $1`,
    values: [projectId],
  });
  const project = rows[0];
  const instructions = project?.systemPrompt ? { instructions: project.systemPrompt } : {};
  return {
    systemTokens: estimateTokens(buildSystemPrompt(instructions)),
    knowledgeTokens: project ? project.tokens + project.files * knowledgeFileCost(USUAL_PATH, 0) : 0,
    isMemoryOn: project?.isMemoryOn ?? false,
  };
}
