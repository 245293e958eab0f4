/** `kaiactl node harden`. */
import { Command } from 'commander';
import { hardenOptions } from '../node/commands/options/harden.js';
import { verb } from './verb.js';

const help = `A source is any file lint reads, or - for stdin. The snippet is one whole file,
on stdout; its comments say what it needs, where it goes and how to check it.
Nothing is written, nothing is sent.

  nginx     a proxy that reads every call; njs is the script it imports
  caddy     a proxy that holds every call against an expression
  nftables  http and ws for this machine, metrics for --monitoring, p2p open
  systemd   a drop-in: the ports of the settings and no other, and less rights
  compose   an override that publishes on 127.0.0.1 only

Examples:
  $ kaiactl node harden --for nginx /etc/kend/conf/kend.conf > kaia.conf
  $ kaiactl node harden --for njs /etc/kend/conf/kend.conf > kaia-rpc.js
  $ kaiactl node harden --for nftables --monitoring 10.20.0.0/16 kend.conf
  $ kaiactl node harden --for compose --service en compose.yaml
  $ kaiactl node harden --for caddy --command-line 'ken --rpc --rpcapi eth,net'`;

export const hardenVerb = verb(() => new Command('harden').argument('[source]'), hardenOptions, {
  group: 'node',
  summary: 'a proxy, firewall or unit snippet made from a node’s settings',
  after: help,
  run: async (options, host, conf) =>
    (await import('../node/commands/harden.js')).run({ ...options, conf }, host),
});
