import { expect, it } from "vitest";
import { MAX_LOOKED_FOR_UNITS } from "@/components/ui/looked-for";
import { MAX_REFERENCE_CHARACTERS } from "@/lib/domain/limits";

it("takes in the longest reference, also one of characters that browsers count as two", () => {
  expect(MAX_LOOKED_FOR_UNITS).toBe("🧾".repeat(MAX_REFERENCE_CHARACTERS).length);
});
