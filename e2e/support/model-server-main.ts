import { startModelServer } from "@/e2e/support/model-server";

// The test model as a process of its own: `tsx e2e/support/model-server-main.ts [port]` prints its base URL.
const server = await startModelServer({ port: Number(process.argv[2] ?? 0) });
console.log(server.baseUrl);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void server.stop().then(() => process.exit(0)));
}
