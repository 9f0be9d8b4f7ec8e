import { MarkdownWriter } from "../output.mjs";
import { attribute, readXml } from "../xml.mjs";
import { OdtStyles } from "./odt-styles.mjs";
import { BODY, contentHandlers } from "./read-odt.mjs";

/** The slides of an OpenDocument presentation, each a section, with its title as a heading and the speaker's notes. */
export async function readOdp(zip, output) {
  const skipped = { pictures: 0, embeddedFiles: 0 };
  const writer = new SlideWriter(output);
  const styles = new OdtStyles();
  if (zip.has("styles.xml")) await readXml(zip.read("styles.xml"), { open: (...element) => styles.open(...element) });
  const content = contentHandlers(writer, skipped, styles, BODY);
  let slides = 0;
  const open = (name, attributes) => {
    if (name === "page") {
      slides += 1;
      writer.begin();
    } else if (name === "notes") writer.announce("[Notes]");
    else if (name === "frame") writer.isTitle = attribute(attributes, "class") === "title";
    content.open(name, attributes);
  };
  const close = (name) => {
    content.close(name);
    if (name === "frame") writer.isTitle = false;
  };
  // To its end, also where nothing more is taken: its slides are counted.
  await readXml(zip.read("content.xml"), { ...content, open, close });
  return { ...skipped, sectionCount: slides };
}

class SlideWriter extends MarkdownWriter {
  isTitle = false;

  paragraph(text, manner) {
    super.paragraph(text, this.isTitle ? { heading: 1 } : manner);
  }
}
