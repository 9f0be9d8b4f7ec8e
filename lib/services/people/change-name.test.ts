import { expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { newTestOwner, ownerActor } from "@/e2e/support/test-people";
import { whileHeld } from "@/e2e/support/while-held";
import { prisma } from "@/lib/db/prisma";
import { changeName } from "@/lib/services/people/change-name";

useServiceDatabase();

it("of a person is changed unless it is no longer what the form began with, and is taken away by an empty one", async () => {
  const { userId } = await newTestOwner();
  const save = (name: string, began: string) =>
    changeName(ownerActor(userId), userId, { name, began: { name: began } });
  expect(await save(" Ann ", "")).toEqual({ outcome: "saved", saved: { name: "Ann" } });
  expect(await save("Anna", "")).toEqual({ outcome: "conflict", current: { name: "Ann" } });
  // As after an answer that was lost.
  expect(await save("Ann", "")).toEqual({ outcome: "saved", saved: { name: "Ann" } });
  expect(await save(" ", "Ann")).toEqual({ outcome: "saved", saved: { name: "" } });
  const lines = await prisma().auditEntry.findMany({
    where: { subject: userId, action: "person.change-name" },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { before: true, after: true },
  });
  expect(lines).toEqual([
    { before: { name: null }, after: { name: "Ann" } },
    { before: { name: "Ann" }, after: { name: null } },
  ]);
});

it("is that of one of two tabs that save at once; the other is told which", async () => {
  const { userId } = await newTestOwner();
  const save = (name: string) => () => changeName(ownerActor(userId), userId, { name, began: { name: "" } });
  const hold = { statement: "SELECT FROM users WHERE id = $1 FOR UPDATE", id: userId };
  expect(await whileHeld(hold, save("Ann"), save("Anna"))).toMatchObject([
    { value: { outcome: "saved" } },
    { value: { outcome: "conflict", current: { name: "Ann" } } },
  ]);
});

it("is not that of somebody who erases themselves in another tab: they are told that they are signed out", async () => {
  const { userId } = await newTestOwner();
  const save = () => changeName(ownerActor(userId), userId, { name: "Ann", began: { name: "" } });
  const erasing = { statement: "DELETE FROM users WHERE id = $1", id: userId };
  const [saved] = await whileHeld<[unknown]>(erasing, save);
  expect(saved).toMatchObject({
    status: "rejected",
    reason: { code: "NOT_FOUND", message: expect.stringMatching(/session has ended/) },
  });
});
