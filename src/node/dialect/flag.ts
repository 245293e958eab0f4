/** The flags of a program, whatever its words look like. */
import type { Setting, SettingValue } from '../facts/settings.js';

export type FlagType =
  | 'bool'
  | 'string'
  | 'int'
  | 'int64'
  | 'uint'
  | 'uint64'
  | 'float'
  | 'duration'
  | 'path'
  | 'list'
  | 'text'
  // Of clap's programs alone.
  | 'count' // a switch that may be repeated
  | 'ip'
  | 'socket' // an address with a port
  | 'port'
  | 'max' // a number, or `max`
  | 'optional' // its value may be left out
  | 'joined'; // the same, and a value needs a `=`

export interface Flag {
  /** First name, without dashes. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly type: FlagType;
  /** Environment variables; the first that is set is used. */
  readonly environment: readonly string[];
  /** The node's own default; null if there is none, or computed. */
  readonly fallback: string | null;
}

/** A flag on a command line. */
export interface FlagUse {
  readonly flag: Flag;
  /** The name it is written with, without dashes. */
  readonly written: string;
  /** It is null if it cannot be known. */
  readonly value: SettingValue | null;
}

/** The flags one program accepts. */
export interface FlagSet {
  readonly flags: readonly Flag[];
  /** By name and by alias. */
  readonly byName: ReadonlyMap<string, Flag>;
  /** By environment variable. */
  readonly byEnvironment: ReadonlyMap<string, Flag>;
  /** The setting of each flag where nothing sets it, by the flag's first name. */
  readonly defaults: Readonly<Record<string, Setting>>;
}

/** The value, or why the program refuses it. */
export type Parsed = { readonly value: SettingValue } | { readonly refused: string };

/** What a dialect asks of the flags of a kind of node. */
export interface FlagRules {
  /** A flag of that name in the last release in which some program has it; null if none has. */
  ofAnyRelease(name: string): Flag | null;
  /** The state of a switch that exposes more: false for a switch that disables something. */
  opensMore(name: string): boolean;
  /** The part of an interface that a flag decides; null for another part, or none. */
  decides(name: string): 'addr' | 'api' | 'origins' | 'vhosts' | null;
  /** Switches that the node searches its arguments for, as plain text, before it parses flags. */
  readonly literal: ReadonlySet<string>;
  /** The uses that count where flags are given under two of their names; null if the node refuses two names. */
  readonly counting: (<T extends FlagUse>(uses: readonly T[]) => readonly T[]) | null;
  /** The flag that unlocks accounts; null if there is none. */
  readonly unlock: string | null;
  /** The flag of a key file, and the variable that a launcher passes for it even when it is empty. */
  readonly keyFile: { readonly flag: string; readonly variable: string | null } | null;
}
