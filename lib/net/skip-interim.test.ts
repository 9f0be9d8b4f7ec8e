import { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import { skipInterim } from "@/lib/net/skip-interim";

const FINAL = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** What is read of a connection after a request, when its peer sends these pieces one by one. */
function readOf(pieces: string[], { isAsked = true } = {}): string {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  skipInterim(socket);
  if (isAsked) socket.write("POST / HTTP/1.1\r\n\r\n");
  const read = pieces.map((piece) => {
    socket.push(piece);
    return socket.read() as Buffer | null;
  });
  return read.map((bytes) => bytes?.toString() ?? "").join("");
}

describe("skipInterim", () => {
  it.each([
    ["a 100", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["a 100 of HTTP/1.0 without words", "HTTP/1.0 100\r\n\r\n"],
    ["a 103 with headers, and a 100", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"],
  ])("leaves out %s, also where it comes byte by byte", (_what, interim) => {
    expect(readOf([interim + FINAL])).toBe(FINAL);
    expect(readOf([interim, FINAL])).toBe(FINAL);
    expect(readOf([...(interim + FINAL)])).toBe(FINAL);
  });

  it.each([
    ["a final response", FINAL],
    ["what a body says", `HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n`],
    ["a switch of protocols", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n"],
    ["what is no HTTP", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["a word", "hello"],
    ["an interim one whose headers are longer than any may be", `HTTP/1.1 100 Continue\r\nA: ${"x".repeat(17_000)}`],
  ])("hands on %s", (_what, text) => {
    expect(readOf([text])).toBe(text);
    expect(readOf([text.slice(0, 30), text.slice(30)])).toBe(text);
  });

  it("looks at no more than the beginning of an answer, and at that of each", () => {
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    skipInterim(socket);
    const interim = "HTTP/1.1 100 Continue\r\n\r\n";
    for (let call = 0; call < 2; call += 1) {
      socket.write("POST / HTTP/1.1\r\n\r\n");
      socket.push(interim + FINAL);
      expect(String(socket.read())).toBe(FINAL);
      socket.push(interim);
      expect(String(socket.read())).toBe(interim);
    }
  });

  it("leaves alone what comes without being asked for", () => {
    expect(readOf(["HTTP/1.1 100 Continue\r\n\r\n"], { isAsked: false })).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  });
});
