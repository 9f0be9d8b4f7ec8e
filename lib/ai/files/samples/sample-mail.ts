/** A file that comes along with a mail. */
export type Attached = [name: string, contentType: string, bytes: Uint8Array];

/** A mail as programs send it, with these files. */
export function sampleMail(files: Attached[]): Buffer {
  const parts = files.flatMap(([name, type, bytes]) => [
    "--B",
    `Content-Type: ${type}`,
    `Content-Disposition: attachment; filename="${name}"`,
    "Content-Transfer-Encoding: base64",
    "",
    (
      Buffer.from(bytes)
        .toString("base64")
        .match(/.{1,76}/g) ?? []
    ).join("\r\n"),
  ]);
  const head = [
    "From: Ada <ada@example.com>",
    "MIME-Version: 1.0",
    "Subject: Bill",
    'Content-Type: multipart/mixed; boundary="B"',
  ];
  return Buffer.from(
    [...head, "", "--B", "Content-Type: text/plain", "", "See below.", ...parts, "--B--"].join("\r\n"),
  );
}
