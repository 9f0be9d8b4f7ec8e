import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { createKnowledgeFile } from "@/lib/services/knowledge/create-knowledge-file";
import { editMemory } from "@/lib/services/memory/edit-memory";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { loadProjectContext } from "@/lib/services/turns/load-project-context";

useServiceDatabase();

describe("what goes along with a call", () => {
  it("never takes a call that fits beyond the window: knowledge leaves the profile its room", async () => {
    const owner = await createTestAccount();
    const { projectId } = owner;
    await prisma().project.update({ where: { id: projectId }, data: { apiMemoryPerUser: true } });
    await db().query("INSERT INTO end_users (project_id, end_user_id) VALUES ($1, 'ada')", [projectId]);
    await editMemory({ kind: "operator" }, owner, { endUserId: "ada", content: "- Likes tea. ".repeat(300) });
    const sections = Array.from({ length: 100 }, (_, index) => `## Part ${index}\n\nTea of sort ${index} is here.`);
    await createKnowledgeFile(owner, { path: "teas.md", content: sections.join("\n\n") });

    const input = "Which tea? ".repeat(1_000);
    const budgetTokens = estimateTokens(input) + 2_000;
    const turn = { projectId, endUserId: "ada", input, systemPrompt: null };
    const { systemTokens, tokens, receipt } = await loadProjectContext(turn, budgetTokens);
    expect(tokens.memory).toBeGreaterThan(900);
    expect(receipt.knowledge?.files).toMatchObject([{ included: "sections" }]);
    expect(systemTokens + estimateTokens(input)).toBeLessThanOrEqual(budgetTokens);
  });

  it("is also of what was asked before in the session and of what comes along, and of nothing later", async () => {
    const owner = await createTestAccount();
    const { principal, projectId } = owner;
    const sections = Array.from({ length: 100 }, (_, index) => `## Drill B${index}\n\nIt weighs ${index} kg.`);
    await createKnowledgeFile(owner, { path: "drills.md", content: sections.join("\n\n") });
    const { sessionId } = await acceptTurn(principal, chatTurn({ input: "Tell me of the B37." }));
    await acceptTurn(principal, chatTurn({ sessionId, input: "What does it weigh?" }));
    await acceptTurn(principal, chatTurn({ sessionId, input: "And the B64?" }));
    const turn = { projectId, sessionId, endUserId: null, systemPrompt: null, input: "What does it weigh?" };
    const asked = async (position: number) => (await loadProjectContext({ ...turn, position }, 1_500)).system;
    expect(await asked(1)).toContain("It weighs 37 kg.");
    expect(await asked(1)).not.toContain("It weighs 64 kg.");
    expect(await asked(0)).not.toContain("It weighs 37 kg.");
    const fileContent = "Dear all, how heavy is the B37, please? Yours, Ann";
    const withMail = { ...turn, position: 0, input: "Answer this mail.", fileContent };
    expect((await loadProjectContext(withMail, 1_500)).system).toContain("It weighs 37 kg.");
  });
});
