import type { Benchmark } from "@/bench/support/benchmark";

interface Listed {
  /** One line: what it measures. */
  summary: string;
  load(): Promise<Benchmark>;
}

/** All benchmarks by name, in the order of `all`. Each is loaded only when it runs. */
export const BENCHMARKS: Readonly<Record<string, Listed>> = {
  accept: {
    summary: "POST /chat accepted per second at 20 connections, beside the bare statement and a bare server",
    load: async () => (await import("@/bench/accept")).accept,
  },
  jobs: {
    summary: "jobs finished end to end per second, and their latency beyond the model's own at 20 at once",
    load: async () => (await import("@/bench/jobs")).jobs,
  },
  "first-chunk": {
    summary: "from the model's first token, and from the accepted call, to the first chunk of the stream",
    load: async () => (await import("@/bench/first-chunk")).firstChunk,
  },
  poll: {
    summary: "GET /chat/:id per second and its 99th percentile at 20 connections",
    load: async () => (await import("@/bench/poll")).poll,
  },
  upload: {
    summary: "a 500 MB upload against a raw pipe to disk, and the server's memory with one and four at once",
    load: async () => (await import("@/bench/upload")).upload,
  },
  streams: {
    summary: "2,000 idle streams: memory of each, and the time until all have the first chunk",
    load: async () => (await import("@/bench/streams")).streams,
  },
  deliveries: {
    summary: "webhook deliveries per second, and their latency while half of the other receivers hang",
    load: async () => (await import("@/bench/deliveries")).deliveries,
  },
  books: {
    summary: "1,000 mixed jobs of several accounts: ledger, usage, sessions and call log agree; the price of a log row",
    load: async () => (await import("@/bench/books")).books,
  },
  money: {
    summary: "500 calls at once with credit for 50, 20 rounds; 100 idempotency keys sent 50 times each",
    load: async () => (await import("@/bench/money")).money,
  },
  crash: {
    summary: "kill -9 of server and Postgres under jobs with callbacks: nothing lost, doubled or stuck",
    load: async () => (await import("@/bench/crash")).crash,
  },
  start: {
    summary: "npm start: first and second start, Ctrl-C, and a killed start, without orphan processes",
    load: async () => (await import("@/bench/start")).start,
  },
  attempts: {
    summary: "the five attempts of one delivery, with the bytes and the times of each",
    load: async () => (await import("@/bench/attempts")).attempts,
  },
  limits: {
    summary: "10,000 calls of one key to two server processes: none above its rate limit",
    load: async () => (await import("@/bench/limits")).limits,
  },
  coverage: {
    summary: "endpoint × documented status × tests that saw it, from the last full run of the end-to-end tests",
    load: async () => (await import("@/bench/coverage-table")).coverageTable,
  },
};
