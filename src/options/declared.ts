/** Options are typed once, where they are declared: this reads the type from the declaration. */

/** Before anything is declared. */
export type NoOptions = Record<never, never>;

/** The values of the options that a function adds to a command without any. */
export type Declared<F extends (command: never) => { opts(): object }> = Readonly<
  ReturnType<ReturnType<F>['opts']>
>;
