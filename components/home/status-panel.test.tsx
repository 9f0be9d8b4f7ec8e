import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { StatusPanel, type StatusPanelProps } from "@/components/home/status-panel";

const RUNNING: StatusPanelProps = {
  version: "1.0.0",
  database: "ok",
  model: { name: "gpt-4.1-mini", isDemo: false, isConfigured: true },
  storage: "disk",
  apiUrl: "http://localhost:3000/api/v1",
};

const CASES: [state: string, change: Partial<StatusPanelProps>, says: string, saysNot: string][] = [
  ["a real model by its name", {}, "gpt-4.1-mini", "demo"],
  [
    "that answers are demo answers",
    { model: { name: "gpt-4.1-mini", isDemo: true, isConfigured: true } },
    "Answers are demo answers",
    "gpt-4.1-mini",
  ],
  [
    "that there is no model",
    { model: { name: "gpt-4.1-mini", isDemo: false, isConfigured: false } },
    "Work ends as failed until",
    "gpt-4.1-mini",
  ],
  ["that the database is away", { database: "away" }, "Waiting for the database", "Running"],
  ["where files are", { storage: "blob" }, "Vercel Blob", "on disk"],
];

describe("StatusPanel", () => {
  it.each(CASES)("says %s", (_state, change, says, saysNot) => {
    const markup = renderToStaticMarkup(<StatusPanel {...RUNNING} {...change} />);
    expect(markup).toContain(says);
    expect(markup).not.toContain(saysNot);
  });
});
