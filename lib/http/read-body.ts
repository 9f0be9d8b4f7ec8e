import type { BodyDefinition } from "@/lib/contracts/endpoint-definition";
import type { Principal } from "@/lib/domain/principal";
import { takeLargeBody } from "@/lib/http/large-bodies";
import { JSON_TYPE, mediaType, requireMediaType } from "@/lib/http/media-type";
import { readJsonBody, readOptionalJsonBody } from "@/lib/http/read-json-body";
import { readMultipartBody } from "@/lib/http/read-multipart-body";
import type { ReceivedFile } from "@/lib/http/received-file";
import { validate } from "@/lib/http/validate";

/** A body after validation, and the files that came with it. */
export interface ReceivedBody {
  body: unknown;
  files: ReceivedFile[];
  /** To be called once the call is answered, of a body that others wait behind. */
  giveBack?: () => void;
}

const MULTIPART_TYPE = "multipart/form-data";

const ACCEPTED: Record<BodyDefinition["kind"], readonly string[]> = {
  json: [JSON_TYPE],
  multipart: [MULTIPART_TYPE],
  "json-or-multipart": [MULTIPART_TYPE, JSON_TYPE],
};

/**
 * Reads and validates the body that a definition asks for. When it throws, no file is left.
 * @throws AppError 400, 413 or 415
 */
export async function readBody(
  request: Request,
  definition: BodyDefinition | undefined,
  principal: Principal | undefined,
): Promise<ReceivedBody> {
  if (!definition) return { body: undefined, files: [] };
  if (definition.kind === "json" && definition.isOptional) {
    return { body: validate(definition.schema, (await readOptionalJsonBody(request)) ?? {}), files: [] };
  }
  requireMediaType(request, ACCEPTED[definition.kind]);
  if (definition.kind === "json" || mediaType(request) === JSON_TYPE) {
    return readInTurn(request, definition, principal?.accountId ?? "");
  }
  if (!principal) throw new Error("Files are taken with a key only.");
  return readMultipartBody(request, definition, principal);
}

async function readInTurn(request: Request, definition: BodyDefinition, accountId: string): Promise<ReceivedBody> {
  let giveBack = () => {};
  const beforeParse = async (bytes: number) => {
    giveBack = await takeLargeBody(bytes, accountId);
  };
  try {
    return { body: validate(definition.schema, await readJsonBody(request, { beforeParse })), files: [], giveBack };
  } catch (error) {
    giveBack();
    throw error;
  }
}
