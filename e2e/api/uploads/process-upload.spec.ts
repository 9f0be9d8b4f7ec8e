import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { expectError, withoutRequestId } from "@/e2e/api/support/expect-error";
import { samplePng } from "@/e2e/api/support/sample-files";
import { textFile } from "@/e2e/api/support/start-processing";
import { askForUpload, putUpload, uploadDirectly } from "@/e2e/api/support/upload-directly";
import { expectNothingLeft } from "@/e2e/api/support/upload-remains";
import { newCaller, suite } from "@/e2e/support/suite";
import type { ProcessRecord } from "@/lib/contracts/process-records";
import { prisma } from "@/lib/db/prisma";
import { openTicket, sealTicket } from "@/lib/services/files/upload-ticket";

const prompt = "What is this?";

test.describe("POST /process with an uploadId", () => {
  test("202, and the processing is as if the file had come along", async () => {
    const { api } = await newCaller();
    const png = samplePng();
    const { uploadId } = await uploadDirectly(api, new Uint8Array(png), "../dot.txt");
    const { status, body } = await api.upload<{ sessionId: string }>("/process", { uploadId, prompt });
    expect(status).toBe(202);
    const record = await api.waitUntilDone<ProcessRecord>(`/process/${body.sessionId}`);
    expect(record).toMatchObject({
      status: "completed",
      fileName: "dot.txt",
      fileSize: png.length,
      contentType: "image/png",
      prompt,
    });
  });

  test("404 NOT_FOUND, the same for all that cannot be used", async () => {
    const { api } = await newCaller();
    const { api: stranger } = await newCaller();
    const used = await uploadDirectly(api, "whole");
    expect((await api.upload("/process", { uploadId: used.uploadId, prompt })).status).toBe(202);
    const old = openTicket((await uploadDirectly(api, "whole")).uploadId);
    const unusable = [
      (await uploadDirectly(stranger, "whole")).uploadId,
      "v1.made-up",
      (await askForUpload(api, 5)).uploadId,
      used.uploadId,
      sealTicket({ ...old, startedAtMs: old.startedAtMs - 120 * 60_000 }),
    ];
    const answers = await Promise.all(unusable.map((uploadId) => api.upload("/process", { uploadId, prompt })));
    for (const answer of answers) {
      expectError(answer, "NOT_FOUND", { param: "uploadId" });
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] as (typeof answers)[number]));
    }
  });

  test("starts one of two calls that come at once", async () => {
    const { api, account } = await newCaller();
    const { uploadId } = await uploadDirectly(api, "whole");
    const call = () => api.upload("/process", { uploadId, prompt });
    const statuses = (await Promise.all([call(), call()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([202, 404]);
    expect(await prisma().session.count({ where: { projectId: account.projectId } })).toBe(1);
  });

  test("gives the same session for the same idempotency key, also when the upload is used up", async () => {
    const { api } = await newCaller();
    const { uploadId } = await uploadDirectly(api, "whole");
    const call = async () => {
      const form = new FormData();
      form.set("uploadId", uploadId);
      form.set("prompt", prompt);
      return api.fetch("/process", { method: "POST", headers: { "idempotency-key": key }, body: form });
    };
    const key = randomUUID();
    const [first, again] = [await call(), await call()];
    expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([202, 202, "true"]);
    expect(await again.json()).toEqual(await first.json());
  });

  test("is not used up by a quote or a refusal", async () => {
    const { api, account } = await newCaller({ credits: 0 });
    const { uploadId } = await uploadDirectly(api, "whole");
    const quote = await api.upload("/process?dryRun=true", { uploadId, prompt });
    expect([quote.status, quote.body.wouldExceed]).toEqual([200, "credits"]);
    expectError(await api.upload("/process", { uploadId, prompt }), "INSUFFICIENT_CREDITS");
    await prisma().account.update({ where: { id: account.accountId }, data: { creditBalance: 1_000 } });
    expectError(await api.upload("/process", { uploadId, prompt, templateId: "tpl_none" }), "NOT_FOUND");
    expect((await api.upload("/process", { uploadId, prompt })).status).toBe(202);
  });

  test("400 VALIDATION_FAILED with a file beside it, and of that file nothing is left", async () => {
    const { api, account } = await newCaller();
    const answer = await api.upload("/process", { file: textFile(), uploadId: "v1.made-up", prompt });
    expectError(answer, "VALIDATION_FAILED", { param: "uploadId" });
    await expectNothingLeft(account);
  });

  test("400 VALIDATION_FAILED for an empty one, and for one in a batch", async () => {
    const { api } = await newCaller();
    const empty = await api.upload("/process", { uploadId: "", prompt });
    expectError(empty, "VALIDATION_FAILED", { param: "uploadId" });
    const { uploadId } = await uploadDirectly(api, "whole");
    const batch = await api.upload("/process/batch", { file: textFile(), uploadId, prompt });
    expectError(batch, "VALIDATION_FAILED", { param: "uploadId" });
  });

  test("leaves no room for bytes after it was used", async () => {
    const { api } = await newCaller();
    const given = await uploadDirectly(api, "whole");
    expect((await api.upload("/process", { uploadId: given.uploadId, prompt })).status).toBe(202);
    const again = await putUpload(given, "other");
    // A store that is not the service's own has words of its own.
    if (suite.blobUrl) expect(again.status).toBe(400);
    else expectError(again, "NOT_FOUND");
  });
});
