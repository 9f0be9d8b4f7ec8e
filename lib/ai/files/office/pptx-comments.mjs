import { findPart, findParts } from "./relations.mjs";
import { attribute, readAside } from "./xml.mjs";

/** Who wrote the comments of a presentation, by id: of those of today and of before 2021. */
export async function readAuthors(zip, relations) {
  const authors = new Map();
  for (const type of ["authors", "commentAuthors"]) {
    const part = findPart(zip, relations, type);
    if (!part) continue;
    await readAside(zip.read(part), {
      open(name, attributes) {
        if (name !== "author" && name !== "cmAuthor") return;
        authors.set(attribute(attributes, "id"), attribute(attributes, "name"));
      },
    });
  }
  return authors;
}

/** The comments on a slide with their answers, each with its author. */
export async function readComments(zip, relations, authors) {
  const comments = [];
  for (const part of findParts(zip, relations, "comments"))
    await readAside(zip.read(part), handlers(comments, authors));
  return comments.map(({ author, text }) => `${author ? `${author}: ` : ""}${text.trim()}`);
}

const COMMENTS = new Set(["cm", "reply"]);
const TEXTS = new Set(["t", "text"]);

function handlers(comments, authors) {
  let isText = false;
  return {
    open(name, attributes) {
      if (COMMENTS.has(name)) comments.push({ author: authors.get(attribute(attributes, "authorId")), text: "" });
      isText = TEXTS.has(name);
    },
    text(text) {
      const comment = comments.at(-1);
      if (isText && comment) comment.text += text;
    },
    close(name) {
      isText = false;
      if (name === "p" && comments.length > 0) comments.at(-1).text += " ";
    },
  };
}
