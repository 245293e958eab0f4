/** The result of a step, or the fallback where the step throws. */
export function tryOr<T, F>(step: () => T, fallback: F): T | F {
  try {
    return step();
  } catch {
    return fallback;
  }
}
