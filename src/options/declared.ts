/** The types of options, derived from their declarations. */

export type NoOptions = Record<never, never>;

/** The values of the options that a function adds to a command. */
export type Declared<F extends (command: never) => { opts(): object }> = Readonly<
  ReturnType<ReturnType<F>['opts']>
>;
