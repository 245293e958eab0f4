/** What a search found, and what it left out. Without folders, it finds the files that were named. */
import type { KaiactlError } from '../../errors.js';
import type { SourceKind } from '../facts/settings.js';

/** Why a part of a folder is not read, as a sentence. */
export interface UnreadPart {
  readonly path: string;
  readonly why: string;
}

export class Found {
  /** In the order asked for; within a folder by name. */
  readonly paths: string[] = [];
  /** Remarks about what was skipped, for stderr. */
  readonly notes: string[] = [];
  /** Files in folders that are not a source of settings, in the order of the search. */
  readonly ignored: string[] = [];
  /** Files that kaiactl wrote, which nothing reads. */
  readonly own: string[] = [];
  /** Files of folders with words of the ledger. */
  readonly signed: string[] = [];
  /** Files of folders with words of a forwarder. */
  readonly forwarding: string[] = [];
  /** Files of folders with words of a firewall. */
  readonly filtering: string[] = [];
  /** Files of folders that may call methods. */
  readonly calling: string[] = [];
  /** Files of folders that may change others. */
  readonly changing: string[] = [];
  /** Links out of the folder, folders that cannot be opened, and files that are too long: beside a node, open questions. */
  readonly unread: UnreadPart[] = [];
  /** Named folders that could not be read, and limits that were reached. */
  readonly problems: KaiactlError[] = [];
  /** The recognised files of folders, those included that name no node's program. */
  readonly byKind = new Map<SourceKind, string[]>();
  /** How many files and folders a pattern of the user excluded. */
  excluded = 0;
}
