import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { newCaller } from "@/e2e/support/suite";

interface Started {
  sessionId: string;
}

test.describe("turns", () => {
  test("of one session run one after another, in order of arrival, each knowing the ones before", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const say = (text: string, sessionId?: string) =>
      api.post<Started>("/chat", { message: `${text} ${marker} [[slow:40ms]]`, sessionId });
    const { sessionId } = (await say("first")).body;
    await say("second", sessionId);
    await say("third", sessionId);
    let mostAtOnce = 0;
    await expect
      .poll(
        async () => {
          const asked = await modelRequestsWith(marker);
          mostAtOnce = Math.max(mostAtOnce, asked.filter(({ outcome }) => outcome === "open").length);
          return asked.filter(({ outcome }) => outcome === "answered").length;
        },
        { intervals: [20] },
      )
      .toBe(3);
    expect(mostAtOnce).toBe(1);
    const asked = await modelRequestsWith(marker);
    expect(asked.map(({ lastUserText }) => lastUserText.split(" ")[0])).toEqual(["first", "second", "third"]);
    expect(asked.map(({ messages }) => messages.length)).toEqual([2, 4, 6]);
    const { messages } = await api.waitUntilDone<{ messages: { content: string }[] }>(`/chat/${sessionId}`);
    expect(messages.map(({ content }) => content.replace("Echo: ", "").split(" ")[0])).toEqual([
      "first",
      "first",
      "second",
      "second",
      "third",
      "third",
    ]);
  });

  test("of one session go on after one that failed", async () => {
    const { api } = await newCaller();
    const { sessionId } = (await api.post<Started>("/chat", { message: "No [[fail:400]]" })).body;
    await api.post("/chat", { message: "Yes [[answer:Went on]]", sessionId });
    const session = await api.waitUntilDone(`/chat/${sessionId}`);
    expect(session).toMatchObject({ status: "completed", lastOutput: "Went on" });
  });

  test("of different sessions run at the same time", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const sessions = await Promise.all(
      Array.from({ length: 8 }, () => api.post<Started>("/chat", { message: `${marker} [[first:1500ms]]` })),
    );
    await expect
      .poll(async () => (await modelRequestsWith(marker)).filter(({ outcome }) => outcome === "open").length, {
        intervals: [20],
      })
      .toBe(8);
    await Promise.all(sessions.map(({ body }) => api.waitUntilDone(`/chat/${body.sessionId}`)));
  });

  test("posted to one session at the same moment are all accepted, each once", async () => {
    const { api } = await newCaller();
    const { sessionId } = (await api.post<Started>("/chat", { message: "start [[answer:ok]]" })).body;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        api.post("/chat", { message: `turn ${index} [[answer:ok ${index}]]`, sessionId }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
    const { messages } = await api.waitUntilDone<{ messages: { role: string; content: string }[] }>(
      `/chat/${sessionId}`,
    );
    expect(messages).toHaveLength(22);
    for (let turn = 1; turn <= 10; turn++) {
      const number = /turn (\d)/.exec(messages[2 * turn]?.content ?? "")?.[1];
      expect(messages[2 * turn + 1]).toMatchObject({ role: "assistant", content: `ok ${number}` });
    }
  });
});
