import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { prisma } from "@/lib/db/prisma";
import { newId } from "@/lib/domain/ids";
import { findElsewhere } from "@/lib/services/search/find-elsewhere";

let first: TestAccount;
let second: TestAccount;

useServiceDatabase();
beforeEach(async () => {
  first = await createTestAccount();
  second = await addTestProject(first, "Another");
});

async function addSession({ accountId, projectId }: TestAccount): Promise<string> {
  const id = newId("session");
  await prisma().session.create({ data: { id, accountId, projectId, kind: "chat", status: "completed" } });
  return id;
}

describe("findElsewhere", () => {
  it("says in which of the projects an id is", async () => {
    const id = await addSession(second);
    const { projectId } = second;
    const found = { kind: "session", id, parentId: null, projectId };
    expect(await findElsewhere([first.projectId, projectId], ` ${id} `)).toEqual(found);
  });

  it("takes the first of two that know an end user by the same name", async () => {
    for (const { projectId } of [first, second]) {
      await prisma().endUser.create({ data: { projectId, endUserId: "ada" } });
    }
    const among = (...projectIds: string[]) => findElsewhere(projectIds, "ada");
    expect(await among(first.projectId, second.projectId)).toMatchObject({ projectId: first.projectId });
    expect(await among(second.projectId, first.projectId)).toMatchObject({ projectId: second.projectId });
  });

  it("finds nothing in a project that was not named", async () => {
    const id = await addSession(second);
    expect(await findElsewhere([first.projectId], id)).toBeNull();
    expect(await findElsewhere([], id)).toBeNull();
  });
});
