/** The readers of each kind of file that starts nodes. */
import type { SourceKind } from '../facts/settings.js';
import type { Context, Launches } from './launch/launch.js';
import type { LineIndex } from './text/line-index.js';

/** A kind of file that starts nodes: not a conf, and not a process. */
export type LaunchedKind = Exclude<SourceKind, 'conf' | 'process'>;

/** The nodes that a file starts. */
export type Reader = (file: LineIndex, context: Context) => Launches;

/** Each kind's reader, loaded at the first file of the kind: the parsers are large. */
export const readers: Readonly<Record<LaunchedKind, () => Promise<Reader>>> = {
  'command line': async () => (await import('./script/script.js')).readScript,
  script: async () => (await import('./script/script.js')).readScript,
  ansible: async () => (await import('./ansible/ansible.js')).readAnsible,
  'cloud-init': async () => (await import('./cloud-init/cloud-init.js')).readCloudInit,
  systemd: async () => (await import('./systemd/unit.js')).readSystemd,
  environment: async () => (await import('./environment/environment.js')).readEnvironment,
  dockerfile: async () => (await import('./dockerfile/dockerfile.js')).readDockerfile,
  yaml: async () => (await import('./yaml/layer.js')).readNodeYaml,
  toml: async () => (await import('./toml/layer.js')).readNodeToml,
  kubernetes: async () => (await import('./kubernetes/manifests.js')).readKubernetes,
  compose: async () => (await import('./compose/compose.js')).readCompose,
};

/** Each kind in a sentence. */
export const called: Readonly<Record<LaunchedKind, string>> = {
  'command line': 'command line',
  script: 'script',
  compose: 'compose file',
  kubernetes: 'manifest',
  dockerfile: 'Dockerfile',
  ansible: 'file of Ansible',
  'cloud-init': 'file of cloud-init',
  systemd: 'unit',
  environment: 'environment file',
  yaml: 'YAML file',
  toml: 'TOML file',
};
