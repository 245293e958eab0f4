/** What every command is told about how to talk. */

/** Values of the options every command has. */
export interface CommonOptions {
  readonly config?: string;
  readonly profile?: string;
  /** False with --no-color; NO_COLOR and FORCE_COLOR are read where colour is decided. */
  readonly color: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}
