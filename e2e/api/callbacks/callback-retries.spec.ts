import { expect, test } from "playwright/test";
import { ALL_ATTEMPTS_MS, ATTEMPTS, settledDelivery } from "@/e2e/api/support/settled-delivery";
import { type Behaviour, type HttpsReceiver, startHttpsReceiver } from "@/e2e/support/https-receiver";
import { newCaller, suite } from "@/e2e/support/suite";

interface Started {
  sessionId: string;
}

let receiver: HttpsReceiver;

test.beforeEach(async () => {
  receiver = await startHttpsReceiver({ certificates: suite.certificates });
});

test.afterEach(() => receiver.close());

for (const behaviour of [{ kind: "drip", everyMs: 100 }, { kind: "cut" }] as const) {
  test(`a receiver that answers 2xx is called once, also when its body does this: ${behaviour.kind}`, async () => {
    const { api } = await newCaller();
    receiver.behave(behaviour);
    const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: receiver.url });
    const { status, attempts } = await settledDelivery(body.sessionId);
    expect(status).toBe("delivered");
    expect(attempts).toMatchObject([
      { responseStatus: 200, error: expect.stringMatching(/^(TIMEOUT|CONNECTION_LOST)/) },
    ]);
  });
}

test.describe("a callback that its receiver does not take", () => {
  test("is tried five times with the same bytes and the same UUID, then failed", async () => {
    const { api } = await newCaller();
    receiver.behave({ kind: "fail", status: 500 });
    const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: receiver.url });
    await receiver.waitForRequests(ATTEMPTS, ALL_ATTEMPTS_MS);
    const delivery = await settledDelivery(body.sessionId);
    expect(delivery).toMatchObject({ status: "failed", attemptCount: ATTEMPTS });
    expect(delivery.attempts.map(({ number, responseStatus }) => [number, responseStatus])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [number, 500]),
    );
    const { requests } = receiver;
    expect(requests).toHaveLength(ATTEMPTS);
    expect(new Set(requests.map(({ body: bytes }) => bytes.toString("hex"))).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers["x-service-delivery"])).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers["x-service-signature"])).size).toBe(1);
    const gaps = requests
      .slice(1)
      .map(({ receivedAt }, index) => Number(receivedAt) - Number(requests[index]?.receivedAt));
    for (const gap of gaps) expect(gap, "each a schedule's step after the one before").toBeGreaterThanOrEqual(990);
    expect((await api.get(`/chat/${body.sessionId}`)).body.status, "the session is completed all the same").toBe(
      "completed",
    );
  });

  test("is tried again until it does, and then no more", async () => {
    const { api } = await newCaller();
    receiver.behave(() => (receiver.requests.length < 3 ? { kind: "fail", status: 503 } : { kind: "ok" }));
    const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: receiver.url });
    await receiver.waitForRequests(3);
    const delivery = await settledDelivery(body.sessionId);
    expect(delivery).toMatchObject({ status: "delivered", attemptCount: 3 });
    expect(delivery.attempts.map(({ responseStatus }) => responseStatus)).toEqual([503, 503, 200]);
    expect(receiver.requests).toHaveLength(3);
  });

  const ANSWERS: [what: string, behaviour: Behaviour, recorded: Record<string, unknown>][] = [
    ["answers 404", { kind: "fail", status: 404 }, { responseStatus: 404 }],
    ["answers 304", { kind: "fail", status: 304 }, { responseStatus: 304 }],
    [
      "cuts the connection",
      { kind: "reset" },
      { responseStatus: null, error: expect.stringMatching(/^CONNECTION_LOST/) },
    ],
    ["never answers", { kind: "hang" }, { responseStatus: null, error: expect.stringMatching(/^TIMEOUT/) }],
    [
      "drips its answer of 500",
      { kind: "drip", everyMs: 100, status: 500 },
      { responseStatus: 500, error: expect.stringMatching(/^TIMEOUT/) },
    ],
    [
      "does not speak HTTP",
      { kind: "raw", text: "hello\r\n\r\n" },
      { responseStatus: null, error: expect.any(String) },
    ],
  ];
  for (const [what, behaviour, recorded] of ANSWERS) {
    test(`because it ${what} is tried again, and what came of it is recorded`, async () => {
      const { api } = await newCaller();
      receiver.behave((request) => {
        if (receiver.requests.indexOf(request) > 0) return { kind: "ok" };
        return behaviour;
      });
      const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: receiver.url });
      await receiver.waitForRequests(2);
      const { status, attempts } = await settledDelivery(body.sessionId);
      expect(status).toBe("delivered");
      expect(attempts).toHaveLength(2);
      expect(attempts[0]).toMatchObject(recorded);
    });
  }

  test("because it redirects is not followed", async () => {
    const { api } = await newCaller();
    const elsewhere = await startHttpsReceiver({ certificates: suite.certificates });
    try {
      receiver.behave((request) =>
        receiver.requests.indexOf(request) > 0
          ? { kind: "ok" }
          : { kind: "redirect", location: `${elsewhere.url}/x`, status: 307 },
      );
      const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: receiver.url });
      const { attempts } = await settledDelivery(body.sessionId);
      expect(attempts.map(({ responseStatus }) => responseStatus)).toEqual([307, 200]);
      expect(elsewhere.connectionCount()).toBe(0);
    } finally {
      await elsewhere.close();
    }
  });

  test("keeps no more than 64 KB of what it answers", async () => {
    const { api } = await newCaller();
    receiver.behave({ kind: "huge", bytes: 5_000_000 });
    const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: receiver.url });
    await receiver.waitForRequests(1);
    const { attempts } = await settledDelivery(body.sessionId);
    expect(attempts[0]?.responseBody?.length).toBeLessThanOrEqual(64 * 1024);
  });

  test("because its certificate is not trusted gets nothing of it", async () => {
    const { api } = await newCaller();
    const untrusted = await startHttpsReceiver();
    try {
      const { body } = await api.post<Started>("/chat", { message: "Hi", callbackUrl: untrusted.url });
      const { status, attempts } = await settledDelivery(body.sessionId);
      expect(status).toBe("failed");
      expect(attempts).toHaveLength(ATTEMPTS);
      for (const { error } of attempts) expect(error).toMatch(/^TLS_FAILED/);
      expect(untrusted.requests).toEqual([]);
    } finally {
      await untrusted.close();
    }
  });

  test("because nobody is there does not hold up other callbacks of the account", async () => {
    const { api } = await newCaller();
    const gone = await startHttpsReceiver({ certificates: suite.certificates });
    await gone.close();
    await Promise.all(Array.from({ length: 5 }, () => api.post("/chat", { message: "Hi", callbackUrl: gone.url })));
    await api.post("/chat", { message: "Hi", callbackUrl: receiver.url });
    await receiver.waitForRequests(1, 5_000);
  });
});
