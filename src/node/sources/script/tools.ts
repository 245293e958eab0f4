/** Commands of tools that start what other files describe: `docker compose`, `helm`, `ansible-playbook`. */
import type { Placed } from '../text/placed.js';
import { containerPrograms, optionsFrom } from './container-run.js';

export type Tool = 'compose' | 'stack' | 'helm' | 'ansible-playbook' | 'kubectl';

/** The words after the name of a tool. */
export interface ToolRun {
  readonly tool: Tool;
  readonly words: readonly Placed[];
}

const tools: Readonly<Record<string, Tool>> = {
  'docker-compose': 'compose',
  'podman-compose': 'compose',
  helm: 'helm',
  'ansible-playbook': 'ansible-playbook',
};

/** A text without any of these runs no tool. */
export const mayRunTool =
  /\b(?:docker|podman)(?:-compose\b|["',]*[ \t'"][^\n]{0,80}?\b(?:compose|stack)\b)|\bhelm\b|\bansible-playbook\b|\b(?:kubectl|oc)\b/;

/** Null if the words run none of the tools. */
export function toolRun(name: string, words: readonly Placed[]): ToolRun | null {
  if (Object.hasOwn(tools, name)) return { tool: tools[name] as Tool, words: words.slice(1) };
  const { at } = optionsFrom(words, 1);
  const verb = words[at]?.text;
  if (name === 'kubectl' || name === 'oc')
    return /^(?:expose|patch|create|set)$/.test(verb ?? '')
      ? { tool: 'kubectl', words: words.slice(at) }
      : null;
  if (!containerPrograms.test(name)) return null;
  if (verb === 'compose') return { tool: 'compose', words: words.slice(at + 1) };
  return verb === 'stack' && words[at + 1]?.text === 'deploy'
    ? { tool: 'stack', words: words.slice(at + 2) }
    : null;
}
