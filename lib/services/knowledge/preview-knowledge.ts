import type { KnowledgePreview } from "@/lib/contracts/knowledge";
import { db } from "@/lib/db/pool";
import { knowledgeBudgetTokens, knowledgeFileCost } from "@/lib/domain/knowledge-budget";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import type { Principal } from "@/lib/domain/principal";
import { buildSystemPrompt } from "@/lib/domain/prompt-blocks";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { env } from "@/lib/env";
import { listKnowledgeFiles } from "@/lib/services/knowledge/list-knowledge-files";
import { loadProjectContext } from "@/lib/services/turns/load-project-context";

type KnowledgeReader = Pick<Principal, "projectId" | "model">;

/**
 * What knowledge may take of a call, and what all files would take, in estimated tokens; and what it costs of each call, in
 * credits and parts of one. For the project's model.
 */
export async function measureKnowledge({ projectId, model }: KnowledgeReader): Promise<{
  budgetTokens: number;
  totalTokens: number;
  creditsPerCall: number;
}> {
  const [files, systemPrompt] = await Promise.all([listKnowledgeFiles({ projectId }), readSystemPrompt(projectId)]);
  const systemTokens = estimateTokens(buildSystemPrompt(systemPrompt ? { instructions: systemPrompt } : {}));
  const budgetTokens = knowledgeBudgetTokens(windowOf(model), systemTokens);
  const totalTokens = files.reduce((sum, { path, tokenCount }) => sum + knowledgeFileCost(path, tokenCount), 0);
  const { creditsPerThousandTokensIn } = findModel(model ?? env().DEFAULT_MODEL);
  const creditsPerCall = (Math.min(budgetTokens, totalTokens) * creditsPerThousandTokensIn) / 1_000;
  return { budgetTokens, totalTokens, creditsPerCall };
}

/**
 * What the AI would be given of the knowledge base for a question: the same choice that a turn makes, without a turn.
 * Nothing while the project's `apiEnabled` is off.
 */
export async function previewKnowledge(
  { projectId, model }: KnowledgeReader,
  question: string,
): Promise<KnowledgePreview> {
  const systemPrompt = await readSystemPrompt(projectId);
  const { receipt } = await loadProjectContext(
    { projectId, endUserId: null, input: question, systemPrompt },
    windowOf(model),
  );
  return receipt.knowledge ?? { budgetTokens: 0, tokens: 0, files: [] };
}

function windowOf(model: string | null): number {
  return inputBudgetTokens(findModel(model ?? env().DEFAULT_MODEL));
}

async function readSystemPrompt(projectId: string): Promise<string | null> {
  const { rows } = await db().query<{ systemPrompt: string | null }>(
    `SELECT system_prompt AS "systemPrompt" FROM projects WHERE id = $1`,
    [projectId],
  );
  return rows[0]?.systemPrompt ?? null;
}
