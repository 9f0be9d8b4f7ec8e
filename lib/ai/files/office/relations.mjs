import { attribute, readXml } from "./xml.mjs";

/**
 * The parts that a part of an Office Open XML document refers to.
 * @param {string} part "" for the document as a whole
 * @param {typeof readXml | typeof readAside} [read] the second for a part whose text is read without them, too
 * @returns {Promise<Map<string, { type: string, target: string }>>} by id; the type is the last word of its address
 */
export async function readRelations(zip, part, read = readXml) {
  const folder = part.slice(0, part.lastIndexOf("/") + 1);
  const name = `${folder}_rels/${part.slice(folder.length)}.rels`;
  const relations = new Map();
  if (!zip.has(name)) return relations;
  await read(zip.read(name), {
    open(tag, attributes) {
      // What lies outside of the file is nothing to us.
      if (tag !== "Relationship" || attribute(attributes, "TargetMode") === "External") return;
      const type = attribute(attributes, "Type") ?? "";
      const target = resolveTarget(folder, attribute(attributes, "Target") ?? "");
      relations.set(attribute(attributes, "Id") ?? "", { type: type.slice(type.lastIndexOf("/") + 1), target });
    },
  });
  return relations;
}

/** The first part of a type, if it is there. */
export function findPart(zip, relations, type) {
  for (const relation of relations.values()) {
    if (relation.type === type && zip.has(relation.target)) return relation.target;
  }
  return undefined;
}

/** All parts of a type that are there. */
export function findParts(zip, relations, type) {
  return [...relations.values()].filter((it) => it.type === type && zip.has(it.target)).map((it) => it.target);
}

/** The name of a part that is written as a path from a folder ("" or with a slash at its end). */
export function resolveTarget(folder, target) {
  const path = target.startsWith("/") ? target : folder + target;
  const steps = [];
  for (const step of path.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return steps.join("/");
}
