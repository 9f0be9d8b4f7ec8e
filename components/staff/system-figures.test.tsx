import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { SystemFigures } from "@/components/staff/system-figures";
import type { SystemStatus } from "@/lib/contracts/staff-system";

const SYSTEM: SystemStatus = {
  engine: "inngest",
  queue: {
    waiting: 0,
    sleeping: 0,
    running: 0,
    oldestWaitingSeconds: 0,
    lostLeases: 0,
    failedRuns: 0,
    runners: 0,
    lateCronSeconds: 0,
  },
  outbox: { waiting: 0, oldestSeconds: 0 },
  turns: { queued: 0, running: 0, limited: 0, oldestSeconds: 0 },
  answers: { ended: 4, failed: 3, codes: [{ code: "MODEL_CONTEXT_EXCEEDED", count: 3 }], spanSeconds: 3_600 },
  deliveries: { pending: 0, overdueSeconds: 0 },
  mails: { waiting: 0, oldestSeconds: 0 },
  storage: { files: 0, bytes: 0, pendingUploads: 0 },
  database: { bytes: 0, connections: 1, maxConnections: 100, version: "17" },
};

it("lets a line end within a long code after its underscores, not in the middle of a word", () => {
  expect(renderToStaticMarkup(<SystemFigures system={SYSTEM} />)).toContain("MODEL_<wbr/>CONTEXT_<wbr/>EXCEEDED 3");
});

it.each([
  [1, "1 of them waits for the model’s provider"],
  [12, "12 of them wait for the model’s provider"],
])("says why work is old where the provider's limit holds %i turns", (limited, words) => {
  const turns = { ...SYSTEM.turns, running: 12, limited };
  expect(renderToStaticMarkup(<SystemFigures system={{ ...SYSTEM, turns }} />)).toContain(words);
  expect(renderToStaticMarkup(<SystemFigures system={SYSTEM} />)).not.toContain("Turns limited");
});

it.each([
  [3_600, "hour"],
  [900, "15 min"],
])(
  "says of how much of the past it speaks of failed answers where sessions expire after %i s",
  (spanSeconds, words) => {
    const drawn = (ended: number) =>
      renderToStaticMarkup(
        <SystemFigures system={{ ...SYSTEM, answers: { ...SYSTEM.answers, ended, spanSeconds } }} />,
      );
    expect(drawn(0)).toContain(`Nothing ended in the last ${words}<`);
    expect(drawn(4)).toContain(`of the newest 4 in the last ${words}: `);
  },
);

it("marks mails once they wait for longer than a server takes that puts a first try off", () => {
  const drawn = (oldestSeconds: number) =>
    renderToStaticMarkup(<SystemFigures system={{ ...SYSTEM, mails: { waiting: 3, oldestSeconds } }} />);
  const dangers = (html: string) => html.split("danger").length;
  expect(drawn(1_200)).toContain("3 on their way");
  expect(dangers(drawn(1_200))).toBe(dangers(drawn(0)));
  expect(dangers(drawn(1_800))).toBeGreaterThan(dangers(drawn(0)));
});
