/**
 * One instance per process, also when a bundler copies the module into several bundles
 * (Next builds the instrumentation, each route and each page apart).
 * @param name unique in the process
 */
export function processSingleton<T>(name: string, make: () => T): T {
  const key = Symbol.for(`service.${name}`);
  const store = globalThis as unknown as Record<symbol, { value: T } | undefined>;
  store[key] ??= { value: make() };
  return store[key].value;
}
