import type { ServerResponse } from "node:http";

export function servePage(response: ServerResponse, serve: () => void): void;
