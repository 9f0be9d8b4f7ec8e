import { docxEntries, relations, wordParagraph, xlsxEntries } from "@/lib/ai/files/samples/sample-office";
import { buildZip, type ZipEntry, zipEntries } from "@/lib/ai/files/samples/sample-zip";

/** Office documents with pictures, for tests; each picture is named by its place in the list, and stands in it twice. */

export type PicturedKind = "docx" | "pptx" | "odt" | "odp" | "xlsx";

const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
const OPEN_DOCUMENT = ["office", "text", "drawing", "xlink"]
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(" ");

/** Of slides one for each picture, the last one first in their parts' numbers; of other documents one after another. */
export function picturedOffice(kind: PicturedKind, pictures: Uint8Array[], text = ""): Buffer {
  return buildZip(MAKERS[kind](pictures, text));
}

const MAKERS: Record<PicturedKind, (pictures: Uint8Array[], text: string) => ZipEntry[]> = {
  docx: (pictures, text) => {
    const drawn = (id: string) =>
      `<w:p><w:r><w:drawing ${A}><a:graphic><a:graphicData><a:blip r:embed="${id}"/></a:graphicData></a:graphic></w:drawing></w:r></w:p>`;
    const body = pictures.map((_, index) => drawn(`p${index}`)).join("");
    const targets = pictures.map((_, index): Relation => [`p${index}`, ["image", `media/${index}`]]);
    const rels = { "word/_rels/document.xml.rels": relations(Object.fromEntries(targets)) };
    return [
      ...docxEntries(`${text && wordParagraph(text)}${body}${drawn("p0")}`, rels),
      ...media("word/media/", pictures),
    ];
  },
  pptx: (pictures, text) => {
    const count = pictures.length;
    const ids = pictures.map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index}"/>`);
    const slideOf = (index: number) => `slides/slide${count - index}.xml`;
    const slides = pictures.flatMap((_, index): [string, string][] => [
      [
        `ppt/${slideOf(index)}`,
        `<p:sld ${P} ${A} ${R}><p:cSld><p:bg><p:bgPr><a:blipFill><a:blip r:embed="p"/></a:blipFill></p:bgPr></p:bg><p:spTree>${index === 0 ? shapeOf(text) : ""}<p:pic><p:blipFill><a:blip r:embed="p"/></p:blipFill></p:pic></p:spTree></p:cSld></p:sld>`,
      ],
      [
        `ppt/slides/_rels/slide${count - index}.xml.rels`,
        relations({ l: ["slideLayout", "../layout.xml"], p: ["image", `../media/${index}`] }),
      ],
    ]);
    return [
      ...zipEntries({
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations({ m: ["officeDocument", "ppt/presentation.xml"] }),
        "ppt/presentation.xml": `<p:presentation ${P} ${R}><p:sldIdLst>${ids.join("")}</p:sldIdLst></p:presentation>`,
        "ppt/_rels/presentation.xml.rels": relations(
          Object.fromEntries(pictures.map((_, index): Relation => [`s${index}`, ["slide", slideOf(index)]])),
        ),
        ...Object.fromEntries(slides),
      }),
      ...media("ppt/media/", pictures),
    ];
  },
  odt: (pictures, text) => {
    const images = pictures.map((_, index) => `<text:p>${frameOf(index)}</text:p>`).join("");
    return openDocument("text", `<text:p>${text}</text:p>${images}<text:p>${frameOf(0)}</text:p>`, pictures);
  },
  odp: (pictures, text) => {
    const pages = pictures.map(
      (_, index) => `<drawing:page>${index === 0 ? `<text:p>${text}</text:p>` : ""}${frameOf(index)}</drawing:page>`,
    );
    return openDocument("presentation", pages.join(""), pictures);
  },
  xlsx: (pictures, text) => [
    ...xlsxEntries({ Scans: text && `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>` }),
    ...media("xl/media/image", pictures),
  ],
};

type Relation = [id: string, [type: string, target: string]];

const shapeOf = (text: string) => `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
const frameOf = (index: number) => `<drawing:frame><drawing:image xlink:href="Pictures/${index}"/></drawing:frame>`;

function media(prefix: string, pictures: Uint8Array[]): ZipEntry[] {
  return pictures.map((content, index) => ({ name: `${prefix}${index}`, content }));
}

function openDocument(kind: "text" | "presentation", body: string, pictures: Uint8Array[]): ZipEntry[] {
  return [
    ...zipEntries({
      mimetype: `application/vnd.oasis.opendocument.${kind}`,
      "content.xml": `<office:document-content ${OPEN_DOCUMENT}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    }),
    ...media("Pictures/", pictures),
  ];
}
