import { buildZip, type ZipEntry, zipEntries } from "@/lib/ai/files/samples/sample-zip";

/** Office documents written by hand, for tests: the parts that a reader looks at. */

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OPEN_XML = "http://schemas.openxmlformats.org";
const TYPES = `${HEAD}<Types xmlns="${OPEN_XML}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>`;
const W = `xmlns:w="${OPEN_XML}/wordprocessingml/2006/main" xmlns:r="${OPEN_XML}/officeDocument/2006/relationships"`;
const S = `xmlns="${OPEN_XML}/spreadsheetml/2006/main" xmlns:r="${OPEN_XML}/officeDocument/2006/relationships"`;
const P = `xmlns:p="${OPEN_XML}/presentationml/2006/main" xmlns:a="${OPEN_XML}/drawingml/2006/main" xmlns:r="${OPEN_XML}/officeDocument/2006/relationships"`;

/** Relations by id: type and target. */
export function relations(list: Record<string, [type: string, target: string]>): string {
  const items = Object.entries(list).map(
    ([id, [type, target]]) =>
      `<Relationship Id="${id}" Type="${OPEN_XML}/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${OPEN_XML}/package/2006/relationships">${items.join("")}</Relationships>`;
}

function openXml(main: string, mediaType: string, parts: Record<string, string>): ZipEntry[] {
  return zipEntries({
    "[Content_Types].xml": `${TYPES}<Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${mediaType}.main+xml"/></Types>`,
    "_rels/.rels": relations({ rId1: ["officeDocument", main] }),
    ...parts,
  });
}

/** A Word document with this body, in WordprocessingML; further parts by name. */
export function docxEntries(body: string, parts: Record<string, string> = {}): ZipEntry[] {
  return openXml("word/document.xml", "wordprocessingml.document", {
    "word/document.xml": `${HEAD}<w:document ${W}><w:body>${body}</w:body></w:document>`,
    ...parts,
  });
}

/** The parts that number a document's lists. */
export function numberingParts(definitions: string): Record<string, string> {
  return {
    "word/_rels/document.xml.rels": relations({ rId1: ["numbering", "numbering.xml"] }),
    "word/numbering.xml": `${HEAD}<w:numbering ${W}>${definitions}</w:numbering>`,
  };
}

/** A Word document of plain paragraphs. */
export function sampleDocx(...paragraphs: string[]): Buffer {
  return buildZip(docxEntries(paragraphs.map((text) => wordParagraph(text)).join("")));
}

export function wordParagraph(text: string, properties = ""): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A Word document with all that its reader knows. */
export function richDocx(): Buffer {
  const list = (id: number, level: number) => `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`;
  const cell = (content: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
  const body = [
    wordParagraph("Report", '<w:pStyle w:val="Titel"/>'),
    wordParagraph("Costs &amp; more", '<w:pStyle w:val="berschrift2"/>'),
    '<w:p><w:r><w:t>First</w:t></w:r><w:r><w:tab/><w:t>line</w:t><w:br/><w:t>next</w:t><w:footnoteReference w:id="2"/></w:r></w:p>',
    wordParagraph("one", list(1, 0)),
    wordParagraph("one deep", list(1, 1)),
    wordParagraph("step", list(2, 0)),
    wordParagraph("step", list(2, 0)),
    `<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:r><w:drawing><a:blip xmlns:a="${OPEN_XML}/drawingml/2006/main"/></w:drawing></w:r></w:p>`,
    `<w:tbl><w:tr>${cell(wordParagraph("Name"))}${cell(wordParagraph("Sum"), '<w:gridSpan w:val="2"/>')}</w:tr>`,
    `<w:tr>${cell(wordParagraph("A|B") + wordParagraph("second"))}${cell(`<w:tbl><w:tr>${cell(wordParagraph("x"))}${cell(wordParagraph("y"))}</w:tr></w:tbl>${wordParagraph("")}`)}${cell(wordParagraph("12"))}</w:tr></w:tbl>`,
    wordParagraph("The end."),
  ].join("");
  const style = (id: string, name: string, more = "") =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
  const level = (number: number, format: string) => `<w:lvl w:ilvl="${number}"><w:numFmt w:val="${format}"/></w:lvl>`;
  return buildZip(
    docxEntries(body, {
      "word/_rels/document.xml.rels": relations({
        rId1: ["styles", "styles.xml"],
        rId2: ["numbering", "numbering.xml"],
        rId3: ["footnotes", "footnotes.xml"],
        rId4: ["header", "header1.xml"],
        rId5: ["diagramData", "diagrams/data1.xml"],
      }),
      "word/styles.xml": `${HEAD}<w:styles ${W}>${style("Titel", "Title")}${style("Base", "heading 2")}${style("berschrift2", "Meine", '<w:basedOn w:val="Base"/>')}</w:styles>`,
      "word/numbering.xml": `${HEAD}<w:numbering ${W}><w:abstractNum w:abstractNumId="7">${level(0, "bullet")}${level(1, "bullet")}</w:abstractNum><w:abstractNum w:abstractNumId="8">${level(0, "decimal")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num></w:numbering>`,
      "word/footnotes.xml": `${HEAD}<w:footnotes ${W}><w:footnote w:id="2">${wordParagraph("A note.")}</w:footnote></w:footnotes>`,
      "word/diagrams/data1.xml": diagramData("Plan", "Do"),
      "word/header1.xml": `${HEAD}<w:hdr ${W}>${wordParagraph("")}</w:hdr>`,
    }),
  );
}

/** As Excel writes them: of one country, of another one, for accounts, of a code, and of no money; in millions; filled up with zeros. */
const NUMBER_FORMATS = [
  '#,##0.00\\ "€"',
  "[$$-409]#,##0.00;[Red]-[$$-409]#,##0.00",
  '_-* #,##0.00\\ "zł"_-;\\-* #,##0.00\\ "zł"_-;_-* "-"??\\ "zł"_-;_-@_-',
  "[$CHF-807] #,##0",
  '0.0 "pcs"',
  '#,##0.0,,\\ "Mio €"',
  '"RE-"00-000',
];

/** A workbook: sheets by name, each the XML of its rows; shared strings; cell styles 1, 2 and 4 show dates, 3 hours, 5 percent, those from 6 on NUMBER_FORMATS, the last that it is struck out. */
export function sampleXlsx(sheets: Record<string, string>, strings: string[] = [], is1904 = false): Buffer {
  return buildZip(xlsxEntries(sheets, strings, is1904));
}

/** Its parts, and further ones by name; `further` is what stands behind the rows of each sheet. */
export function xlsxEntries(
  sheets: Record<string, string>,
  strings: string[] = [],
  is1904 = false,
  { further = "", ...parts }: Record<string, string> = {},
): ZipEntry[] {
  const names = Object.keys(sheets);
  const numberFormats = NUMBER_FORMATS.map(
    (code, index) => `<numFmt numFmtId="${180 + index}" formatCode="${code.replaceAll('"', "&quot;")}"/>`,
  ).join("");
  const numberStyles = NUMBER_FORMATS.map((_, index) => `<xf numFmtId="${180 + index}"/>`).join("");
  const list = names.map(
    (name, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"${name.startsWith("Hidden") ? ' state="hidden"' : ""}/>`,
  );
  const targets = names.map((_, index): [string, [string, string]] => [
    `rId${index + 1}`,
    ["worksheet", `worksheets/sheet${index + 1}.xml`],
  ]);
  return openXml("xl/workbook.xml", "spreadsheetml.sheet", {
    "xl/workbook.xml": `${HEAD}<workbook ${S}><workbookPr date1904="${is1904}"/><sheets>${list.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations({
      ...Object.fromEntries(targets),
      s1: ["sharedStrings", "/xl/sharedStrings.xml"],
      s2: ["styles", "styles.xml"],
      s3: ["person", "persons/person.xml"],
    }),
    "xl/sharedStrings.xml": `${HEAD}<sst ${S}>${strings.map((text) => `<si>${text}</si>`).join("")}</sst>`,
    "xl/styles.xml": `${HEAD}<styleSheet ${S}><numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy hh:mm"/><numFmt numFmtId="171" formatCode="[h]:mm"/>${numberFormats}</numFmts><fonts><font/><font><strike/></font></fonts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="31"/><xf numFmtId="10"/>${numberStyles}<xf numFmtId="0" fontId="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${HEAD}<worksheet ${S}><sheetData>${sheets[name]}</sheetData>${further}</worksheet>`,
      ]),
    ),
    ...parts,
  });
}

/** A diagram (SmartArt) of these words, as the part that holds them. */
function diagramData(...words: string[]): string {
  const points = words.map((word) => `<dgm:pt><dgm:t><a:p><a:r><a:t>${word}</a:t></a:r></a:p></dgm:t></dgm:pt>`);
  return `${HEAD}<dgm:dataModel xmlns:dgm="${OPEN_XML}/drawingml/2006/diagram" xmlns:a="${OPEN_XML}/drawingml/2006/main"><dgm:ptLst>${points.join("")}</dgm:ptLst></dgm:dataModel>`;
}

/** A presentation: the shapes of each slide, the words of its diagram, and its notes and comments where there are some. */
export function samplePptx(
  slides: {
    shapes: string;
    diagram?: string[];
    chart?: string;
    notes?: string;
    comments?: string;
    isHidden?: boolean;
  }[],
): Buffer {
  const parts: Record<string, string> = {
    "ppt/commentAuthors.xml": '<cmAuthorLst><cmAuthor id="1" name="Ada"/></cmAuthorLst>',
  };
  const targets: Record<string, [string, string]> = { rId0: ["commentAuthors", "commentAuthors.xml"] };
  slides.forEach(({ shapes, diagram = [], chart = "", notes, comments = "", isHidden = false }, index) => {
    const number = index + 1;
    targets[`rId${number}`] = ["slide", `slides/slide${number}.xml`];
    parts[`ppt/slides/slide${number}.xml`] =
      `${HEAD}<p:sld ${P}${isHidden ? ' show="0"' : ""}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    parts[`ppt/diagrams/data${number}.xml`] = diagramData(...diagram);
    parts[`ppt/slides/_rels/slide${number}.xml.rels`] = relations({
      rId1: ["notesSlide", `../notesSlides/notesSlide${number}.xml`],
      rId2: ["diagramData", `../diagrams/data${number}.xml`],
      rId3: ["comments", `../comments/comment${number}.xml`],
      rId4: ["chart", `../charts/chart${number}.xml`],
    });
    parts[`ppt/charts/chart${number}.xml`] = `<c:chartSpace>${chart}</c:chartSpace>`;
    parts[`ppt/comments/comment${number}.xml`] = `<cmLst>${comments}</cmLst>`;
    if (notes === undefined) return;
    parts[`ppt/notesSlides/notesSlide${number}.xml`] =
      `${HEAD}<p:notes ${P}><p:cSld><p:spTree>${slideShape("body", notes)}${slideShape("sldNum", "9")}</p:spTree></p:cSld></p:notes>`;
  });
  const order = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).reverse();
  return buildZip(
    openXml("ppt/presentation.xml", "presentationml.presentation", {
      "ppt/presentation.xml": `${HEAD}<p:presentation ${P}><p:sldIdLst>${order.join("")}</p:sldIdLst></p:presentation>`,
      "ppt/_rels/presentation.xml.rels": relations(targets),
      ...parts,
    }),
  );
}

/** A placeholder with a paragraph for each text; "" is a plain text box. */
export function slideShape(type: string, ...texts: string[]): string {
  const placeholder = type === "" ? "" : `<p:ph type="${type}"/>`;
  const paragraphs = texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join("");
  return `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
}
