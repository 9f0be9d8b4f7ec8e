import { APIError } from "openai";
import { describe, expect, it } from "vitest";
import { explainModelError, readRetryAfter } from "@/lib/ai/explain-model-error";
import { TurnError } from "@/lib/domain/turn-errors";

const NOW = Date.parse("2026-01-31T09:30:00.000Z");

describe("readRetryAfter", () => {
  it.each([
    [{}, undefined],
    [{ "retry-after": "12" }, 12],
    [{ "retry-after": " 1.5 " }, 1.5],
    [{ "retry-after": "-3" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after": "Sat, 31 Jan 2026 09:30:30 GMT" }, 30],
    [{ "retry-after": "Sat, 31 Jan 2026 09:00:00 GMT" }, 0],
    [{ "retry-after": "1e9" }, undefined],
    [{ "retry-after": "999999" }, 3600],
    [{ "retry-after-ms": "250", "retry-after": "1" }, 0.25],
    [{ "retry-after-ms": "soon", "retry-after": "4" }, 4],
  ])("reads %j as %s", (headers, seconds) =>
    expect(readRetryAfter(new Headers(headers as Record<string, string>), NOW)).toBe(seconds),
  );
});

describe("explainModelError", () => {
  it("leaves an error of ours as it is", () => {
    const error = new TurnError("CANCELED", "Canceled.");
    expect(explainModelError(error)).toBe(error);
  });

  it.each([new TypeError("terminated"), new SyntaxError("Unexpected token"), "a string", undefined])(
    "takes %s for a failed connection",
    (error) => {
      expect(explainModelError(error)).toMatchObject({ code: "MODEL_UNAVAILABLE", isRetryable: true, cause: error });
    },
  );

  it.each([
    ["the provider", 404, { code: "model_not_found", message: "The model `x` does not exist or you have no access." }],
    ["Ollama", 404, { message: 'model "x" not found, try pulling it first', type: "not_found_error", code: null }],
    ["vLLM", 404, { message: "The model `x` does not exist.", type: "NotFoundError", code: 404 }],
    ["LiteLLM", 400, { message: "Invalid model name passed in model=x", type: "invalid_request_error", code: "400" }],
  ])("says of a model that %s does not know what to do", (_server, status, body) => {
    const explained = explainModelError(APIError.generate(status, { error: body }, undefined, new Headers()));
    expect(explained).toMatchObject({
      code: "MODEL_NOT_CONFIGURED",
      isRetryable: false,
      message: expect.stringMatching(/does not know this model/),
    });
  });

  it.each(["invalid_image_format", "image_parse_error", "invalid_image", "empty_image_file", "invalid_base64_image"])(
    "says of a picture that the provider cannot read (%s) what is said of any such file",
    (code) => {
      const body = { error: { code, message: "You uploaded an unsupported image." } };
      const explained = explainModelError(APIError.generate(400, body, undefined, new Headers()));
      expect(explained).toMatchObject({ code: "UNSUPPORTED_FILE", isRetryable: false });
    },
  );

  it("blames no file for what the provider does not want to show", () => {
    const body = { error: { code: "image_content_policy_violation", message: "Not allowed." } };
    const explained = explainModelError(APIError.generate(400, body, undefined, new Headers()));
    expect(explained).toMatchObject({ code: "MODEL_REJECTED" });
  });

  it.each([
    [404, undefined],
    [404, "404 page not found"],
    [405, { detail: "Method Not Allowed" }],
  ])("says of an address where nothing answers (%s %j) who sets it right", (status, body) => {
    const explained = explainModelError(APIError.generate(status, body as object, undefined, new Headers()));
    expect(explained).toMatchObject({ code: "MODEL_NOT_CONFIGURED", message: expect.stringMatching(/the address/) });
  });

  it("takes a refused input for just that", () => {
    const body = { error: { message: "This model does not take temperature.", code: "unsupported_value" } };
    const explained = explainModelError(APIError.generate(400, body, undefined, new Headers()));
    expect(explained).toMatchObject({ code: "MODEL_REJECTED", isRetryable: false });
  });

  it.each([408, 409, 425, 500, 503])("tries again after a %i, and not sooner than the server asks", (status) => {
    const headers = new Headers({ "Retry-After": "30" });
    const explained = explainModelError(APIError.generate(status, { error: { message: "Busy." } }, undefined, headers));
    expect(explained).toMatchObject({ code: "MODEL_UNAVAILABLE", isRetryable: true, retryAfterSeconds: 30 });
  });

  it.each([
    "Quota exceeded: input tokens of this minute exceed the limit, retry in 20 s.",
    "Too many requests. This key does not support image input until then.",
  ])("tries again after a limit of the moment, whatever its words name: %s", (message) => {
    const explained = explainModelError(APIError.generate(429, { error: { message } }, undefined, new Headers()));
    expect(explained).toMatchObject({ code: "MODEL_RATE_LIMITED", isRetryable: true });
  });

  it("keeps the provider's words for the logs alone", () => {
    const error = new APIError(400, { message: "invalid: SECRET" }, undefined, new Headers());
    const explained = explainModelError(error);
    expect(explained.cause).toBe(error);
    expect(explained.message).not.toContain("SECRET");
  });
});
