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
  peers: {
    summary: "accepted calls beside Portkey's gateway and finished jobs beside n8n, with the same instant model",
    load: async () => (await import("@/bench/peers")).peers,
  },
  "first-chunk": {
    summary: "from the model's first token, and from the accepted call, to the first chunk of the stream",
    load: async () => (await import("@/bench/first-chunk")).firstChunk,
  },
  poll: {
    summary: "GET /chat/:id per second and its 99th percentile at 20 connections",
    load: async () => (await import("@/bench/poll")).poll,
  },
  growth: {
    summary: "poll, lists, usage and logs at 1,000,000 sessions and 5,000,000 calls against 1,000 and 5,000",
    load: async () => (await import("@/bench/growth")).growth,
  },
  "pass-by": {
    summary: "a chat while files of the same account wait for all of its places, beside the same chat alone",
    load: async () => (await import("@/bench/pass-by")).passBy,
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
  webhooks: {
    summary: "10,000 deliveries to receivers of nine manners: attempts, bytes, UUIDs and signatures as promised",
    load: async () => (await import("@/bench/webhooks")).webhooks,
  },
  nginx: {
    summary: "behind nginx as docs/operations.md sets it up: streams, a 500 MB upload, addresses, downloads",
    load: async () => (await import("@/bench/nginx")).nginx,
  },
  "slow-clients": {
    summary: "1,000 waiting streams and 500 slow bodies: GET /health meanwhile, and the memory afterwards",
    load: async () => (await import("@/bench/slow-clients")).slowClients,
  },
  soak: {
    summary: "the same mixed work again and again, with files of a few megabytes: the server's memory does not grow",
    load: async () => (await import("@/bench/soak")).soak,
  },
  "model-faults": {
    summary: "a model that fails in 21 ways: each job completes after retries or fails with its code, without a charge",
    load: async () => (await import("@/bench/model-faults")).modelFaults,
  },
  "provider-limit": {
    summary: "a provider that refuses most calls for too many: each of the files is answered, and how long that takes",
    load: async () => (await import("@/bench/provider-limit")).providerLimit,
  },
  "bad-input": {
    summary:
      "naughty values in every field, query and path of every endpoint: no fault, no file outside, no secret told",
    load: async () => (await import("@/bench/bad-input")).badInput,
  },
  "held-snapshot": {
    summary: "jobs finished while a back-up or an export holds back what Postgres clears away, beside jobs without",
    load: async () => (await import("@/bench/held-snapshot")).heldSnapshot,
  },
  "second-process": {
    summary: "jobs finished by one and by two server processes on one database, and what a job costs in each",
    load: async () => (await import("@/bench/second-process")).secondProcess,
  },
  "unit-costs": {
    summary: "processor time and bytes of a job, a poll, a delivery, an upload: what docs/capacity.md reckons with",
    load: async () => (await import("@/bench/unit-costs")).unitCosts,
  },
  books: {
    summary: "1,000 mixed jobs of several accounts: ledger, usage, sessions and call log agree; the price of a log row",
    load: async () => (await import("@/bench/books")).books,
  },
  money: {
    summary: "500 calls at once with credit for 50, 20 rounds; 100 idempotency keys sent 50 times each",
    load: async () => (await import("@/bench/money")).money,
  },
  tenancy: {
    summary:
      "every endpoint with others' ids, lacking permissions, dead keys, and every page and action by role: no leak",
    load: async () => (await import("@/bench/tenancy")).tenancy,
  },
  erase: {
    summary: "end users with canaries in every field, half of them erased while they work: nothing of them is left",
    load: async () => (await import("@/bench/erase")).erase,
  },
  crash: {
    summary: "kill -9 of server and Postgres under jobs with callbacks: nothing lost, doubled or stuck",
    load: async () => (await import("@/bench/crash")).crash,
  },
  "long-document": {
    summary:
      "2,000 pages, and 300 half scanned, read in parts with a kill -9 in between: what is asked and charged twice",
    load: async () => (await import("@/bench/long-document")).longDocumentBenchmark,
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
  reading: {
    summary: "what is read of every kind of file, and what becomes of hostile ones: code, time, memory of the reader",
    load: async () => (await import("@/bench/reading")).reading,
  },
  lighthouse: {
    summary: "Lighthouse on every page: performance, accessibility, best practices, first paint",
    load: async () => (await import("@/bench/lighthouse")).lighthouse,
  },
  coverage: {
    summary: "endpoint × documented status × tests that saw it, from the last full run of the end-to-end tests",
    load: async () => (await import("@/bench/coverage-table")).coverageTable,
  },
};
