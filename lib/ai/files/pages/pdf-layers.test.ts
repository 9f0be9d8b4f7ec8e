import { expect, it } from "vitest";
import { readPdf } from "@/lib/ai/files/pages/read-pdf";
import { layeredPdf } from "@/lib/ai/files/samples/sample-pdf";

const LIMITS = { maxCharacters: 100_000 };
const shown = (text: string, height: number) => `BT /F1 12 Tf 72 ${height} Td (${text}) Tj ET`;
const on = (layer: string, content: string) => `/OC /${layer} BDC ${content} EMC`;

it("says of text on layers that are switched off that nobody sees it", async () => {
  const content = [
    shown("Offer of May", 700),
    on("On", `${shown("Total 7 EUR", 680)} /P << /MCID 0 >> BDC ${shown("Net", 660)} EMC`),
    on("Off", `${shown("Total 9 EUR", 640)} /P << /MCID 1 >> BDC ${shown("Gross", 620)} EMC`),
    shown("Yours", 580),
  ].join("\n");
  expect((await readPdf(layeredPdf(content, ""), LIMITS)).pages).toEqual([
    "Offer of May\nTotal 7 EUR\nNet\nYours\n\n[Not shown]\nTotal 9 EUR\nGross",
  ]);
});

it("knows a layer by the form that is on it, and keeps apart what stands around hidden text", async () => {
  const content = `${shown("Offer", 700)} /Fm Do ${shown("Total ", 660)} ${on("Off", shown("9", 660))} ${shown("7", 660)}`;
  expect((await readPdf(layeredPdf(content, shown("Draft", 680)), LIMITS)).pages).toEqual([
    "Offer\nTotal 7\n\n[Not shown]\nDraft\n9",
  ]);
});

it("leaves a page that shows no text to its picture", async () => {
  const { pages, scannedPages } = await readPdf(layeredPdf(on("Off", shown("Draft", 700)), ""), LIMITS);
  expect({ pages, scannedPages }).toEqual({ pages: [""], scannedPages: [1] });
});
