import { buildZip, zipEntries } from "@/lib/ai/files/samples/sample-zip";

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';

const space = (name: string) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`;

/** An OpenDocument presentation with these pages, in its own XML. */
export function sampleOdp(pages: string): Buffer {
  const spaces = ["office", "text", "table", "drawing", "presentation"].map(space).join(" ");
  return buildZip(
    zipEntries({
      mimetype: "application/vnd.oasis.opendocument.presentation",
      "content.xml": `${HEAD}<office:document-content ${spaces}><office:body><office:presentation>${pages}</office:presentation></office:body></office:document-content>`,
    }),
  );
}

/** An OpenDocument workbook with these styles and tables, in its own XML. */
export function sampleOds(styles: string, tables: string): Buffer {
  const spaces = ["office", "text", "table", "style"].map(space).join(" ");
  return buildZip(
    zipEntries({
      mimetype: "application/vnd.oasis.opendocument.spreadsheet",
      "META-INF/manifest.xml": `${HEAD}<manifest:manifest ${space("manifest")}/>`,
      "styles.xml": `${HEAD}<office:document-styles ${spaces}/>`,
      "content.xml": `${HEAD}<office:document-content ${spaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
    }),
  );
}

/** An OpenDocument text with this text, header and styles, in its own XML. */
export function sampleOdt(text: string, manifest = "", header = "", styles = ""): Buffer {
  return buildZip(
    zipEntries({
      mimetype: "application/vnd.oasis.opendocument.text",
      "META-INF/manifest.xml": `${HEAD}<manifest:manifest ${space("manifest")}>${manifest}</manifest:manifest>`,
      "styles.xml": `${HEAD}<office:document-styles ${["office", "text", "style"].map(space).join(" ")}>${styles}<style:style><style:header-style/></style:style><office:master-styles><style:master-page><style:header>${header}</style:header></style:master-page></office:master-styles></office:document-styles>`,
      "content.xml": `${HEAD}<office:document-content ${["office", "text", "table", "drawing"].map(space).join(" ")}><office:body><office:text>${text}</office:text></office:body></office:document-content>`,
    }),
  );
}
