import { Unreadable } from "../unreadable.mjs";
import { readXml } from "../xml.mjs";

const MEDIA_TYPE = /^application\/vnd\.oasis\.opendocument\.([a-z]{1,20})(-template)?$/i;
const READABLE_FORMS = new Set(["text", "spreadsheet", "presentation"]);
const OTHER_FORMS = new Set(["drawing", "chart", "image", "database"]);
const MANIFEST = "META-INF/manifest.xml";

/**
 * What an OpenDocument is: as it says of itself, or by what it holds where that is missing or damaged.
 * @returns {Promise<string | undefined>} "text", "spreadsheet" or "presentation"; another word, such as "drawing", of what is not
 *   read; undefined where the archive holds no such document
 */
export async function findForm(zip) {
  const stated = MEDIA_TYPE.exec(await readMediaType(zip))?.[1]?.toLowerCase();
  if (READABLE_FORMS.has(stated)) return stated;
  const isLikely = zip.has("content.xml") && zip.has(MANIFEST);
  return (isLikely ? await findInBody(zip) : undefined) ?? stated;
}

export const isReadable = (form) => READABLE_FORMS.has(form);

async function readMediaType(zip) {
  if (!zip.has("mimetype")) return "";
  try {
    return (await zip.readText("mimetype", 200)).trim();
  } catch (error) {
    if (error instanceof Unreadable && error.failure === "broken") return "";
    throw error;
  }
}

/** The body holds one element, which is named as the document's kind is. */
async function findInBody(zip) {
  let isBody = false;
  let form;
  const open = (name) => {
    if (isBody) form ??= name;
    isBody ||= name === "body";
  };
  await readXml(zip.read("content.xml"), { open }, () => form !== undefined);
  return READABLE_FORMS.has(form) || OTHER_FORMS.has(form) ? form : undefined;
}
