/** The case of a switch that the types rule out. */
export function unreachable(_value: never): never {
  throw new TypeError('a value the types do not describe');
}
