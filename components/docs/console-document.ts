interface Parameter {
  required?: boolean;
  example?: unknown;
}

type Operation = { parameters?: Parameter[] } & Record<string, unknown>;

/** As far as this file knows an OpenAPI document. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, unknown>>;
}

/**
 * The document for the console: optional parameters keep their examples, but are sent only when the reader ticks them.
 * The console sends whatever it has a value for otherwise: every try would be a quote with somebody else's
 * `Idempotency-Key`.
 */
export function consoleDocument(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => [path, mapValues(item, untickOptional)]);
  return { ...document, paths: Object.fromEntries(paths) };
}

function untickOptional(value: unknown): unknown {
  const operation = value as Operation;
  if (!Array.isArray(operation.parameters)) return value;
  return { ...operation, parameters: operation.parameters.map(untick) };
}

/** `x-disabled` is the console's own word. */
function untick(parameter: Parameter): Parameter {
  if (parameter.required) return parameter;
  const { example, ...rest } = parameter;
  const sample = { ...(example !== undefined && { value: example }), "x-disabled": true };
  return { ...rest, examples: { default: sample } } as Parameter;
}

function mapValues(record: Record<string, unknown>, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
