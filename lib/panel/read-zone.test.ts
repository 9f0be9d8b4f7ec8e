import { expect, it } from "vitest";
import { isZone } from "@/lib/panel/read-zone";

it.each(["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Kolkata"])("%s is a zone", (zone) => {
  expect(isZone(zone)).toBe(true);
});

it.each(["", "Mars/Olympus", "Europe/Berlin\r\nx: y", "<script>", `Europe/${"x".repeat(10_000)}`])(
  "%j, which anybody can write into a cookie, is none",
  (zone) => expect(isZone(zone)).toBe(false),
);
