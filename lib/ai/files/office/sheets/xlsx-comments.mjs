import { findPart, findParts } from "../relations.mjs";
import { attribute, readAside } from "../xml.mjs";
import { signComment } from "./sheet-row.mjs";

/** Who wrote comments that are answered in threads, by id. */
export async function readPersons(zip, part) {
  const persons = new Map();
  if (part) {
    await readAside(zip.read(part), {
      open(name, attributes) {
        if (name === "person") persons.set(attribute(attributes, "id"), attribute(attributes, "displayName"));
      },
    });
  }
  return persons;
}

/** The comments of a sheet by the cell that each belongs to, with their authors. */
export async function readComments(zip, relations, persons) {
  const comments = new Map();
  for (const part of findParts(zip, relations, "threadedComment")) {
    const authorOf = (attributes) => persons.get(attribute(attributes, "personId"));
    await readAside(zip.read(part), commentHandlers(comments, "threadedComment", authorOf));
  }
  const part = findPart(zip, relations, "comments");
  if (!part) return comments;
  // For older programs a thread stands here once more.
  const notes = new Map();
  const authors = [];
  const authorOf = (attributes) => authors[Number(attribute(attributes, "authorId"))];
  await readAside(zip.read(part), commentHandlers(notes, "comment", authorOf, authors));
  for (const [cell, texts] of notes) if (!comments.has(cell)) comments.set(cell, texts);
  return comments;
}

function commentHandlers(comments, element, authorOf, authors = []) {
  let comment;
  let author;
  let isText = false;
  let isPhonetic = false;
  return {
    open(name, attributes) {
      if (name === "author") author = "";
      else if (name === "text") isText = true;
      else if (name === "rPh") isPhonetic = true;
      else if (name === element) {
        comment = { cell: attribute(attributes, "ref") ?? "", author: authorOf(attributes), text: "" };
      }
    },
    text(text) {
      if (author !== undefined) author += text;
      // What stands beside it is where the comment lies on the sheet.
      else if (comment && isText && !isPhonetic) comment.text += text;
    },
    close(name) {
      if (name === "author") {
        authors.push(author);
        author = undefined;
      } else if (name === "text") isText = false;
      else if (name === "rPh") isPhonetic = false;
      else if (name === element && comment) {
        const text = comment.text.trim();
        const named = signComment(comment.author, text);
        const others = comments.get(comment.cell);
        if (text !== "" && others) others.push(named);
        else if (text !== "") comments.set(comment.cell, [named]);
        comment = undefined;
      }
    },
  };
}
