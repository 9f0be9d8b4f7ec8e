import { readFileSync } from "node:fs";

export interface NginxPlaces {
  /** Where nginx listens, on loopback. */
  port: number;
  servicePort: number;
  certificate: string;
  key: string;
  /** For everything that nginx writes. */
  folder: string;
}

const DOCUMENT = "docs/operations.md";

/**
 * The configuration that the document on operations gives, with the places of this run and nothing else changed, in what a
 * whole configuration needs around it.
 * @throws Error when the document has no such block, or another than the places fit into
 */
export function nginxConfig({ port, servicePort, certificate, key, folder }: NginxPlaces): string {
  let block = /```nginx\n([\s\S]*?)```/.exec(readFileSync(DOCUMENT, "utf8"))?.[1] ?? "";
  for (const [written, here] of [
    ["server 127.0.0.1:3000;", `server 127.0.0.1:${servicePort};`],
    ["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
    ["server_name api.example.com;", "server_name localhost;"],
    ["/etc/ssl/api.pem", certificate],
    ["/etc/ssl/api.key", key],
  ] as const) {
    if (block.split(written).length !== 2) throw new Error(`${DOCUMENT} says "${written}" not exactly once.`);
    block = block.replace(written, here);
  }
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
${process.getuid?.() === 0 ? "user root;" : ""}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 4096; }
http {
${temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join("\n")}
access_log off;
${block}
}
`;
}
