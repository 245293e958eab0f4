/** Forks of geth that are no judged kind: their flags are those of some older release. */

/** See `clientsOf`. */
export const gethForks = `
# The commands that start no node, and the interfaces under their names before and since v1.9.
- any-geth
  idle account attach db dump dumpconfig dumpgenesis export import init license removedb snapshot version
    wallet help
  configFiles --config
  port http enable=--http --rpc bind=--http.addr --rpcaddr port=--http.port --rpcport modules=--http.api
    --rpcapi usual=?:8545
    switch=--unlock accounts unlocked
    switch=--allow-insecure-unlock insecure unlock allowed
  port ws enable=--ws bind=--ws.addr --wsaddr port=--ws.port --wsport modules=--ws.api --wsapi usual=?:8546
  port metrics enable=--metrics.addr bind=--metrics.addr port=--metrics.port usual=?:6060
  port pprof enable=--pprof bind=--pprof.addr --pprofaddr port=--pprof.port --pprofport usual=?:6060
execution sonic like any-geth
  programs sonicd opera
  idle account attach checkconfig dumpconfig export import help license version
  images (?:^|/)(?:fantom/opera|sonic-node|sonicd?|opera)$
  own validator.id validator.pubkey validator.password
  clientName ^(?:go-opera|sonic)/
  port http enable=--http --rpc bind=--http.addr --rpcaddr port=--http.port --rpcport modules=--http.api
    --rpcapi usual=?:18545
    switch=--unlock accounts unlocked
    switch=--allow-insecure-unlock insecure unlock allowed
  port ws enable=--ws bind=--ws.addr --wsaddr port=--ws.port --wsport modules=--ws.api --wsapi usual=?:18546
execution quorum like any-geth
  programs -
  sharedPrograms geth
  images (?:^|/)(?:quorumengineering|consensys)/quorum$|(?:^|/)quorum$
  own raft raftport raftblocktime raftjoinexisting raftdnsenable permissioned ptm.*
  clientName ^Geth/.*quorum
execution celo like any-geth
  programs -
  sharedPrograms geth
  images (?:^|/)celo-org/(?:geth|celo-node)$
  own celostats proxy.proxied proxy.allowprivateip proxy.internalendpoint
  clientName ^celo/
execution viction like any-geth
  programs tomo viction
  images (?:^|/)tomochain/(?:node|tomochain)$|(?:^|/)buildonviction/|(?:^|/)viction$
  own tomox tomox.* announce-txs store-reward
  clientName ^(?:tomo|viction)/
execution XDC like any-geth
  images (?:^|/)xinfinorg/|(?:^|/)xdposchain$
  own XDCx XDCx.* enable-0x-prefix
  clientName ^XDC/
execution l2geth like any-geth
  images (?:^|/)(?:scroll-?)?l2geth$
  own rollup.clienthttp rollup.backend rollup.verifier eth1.* l1.endpoint l1.confirmations rollup.verify
# Forks with a name in their images alone; their program is called geth, unless named.
execution core like any-geth
  programs -
  images (?:^|/)coredao(?:-org)?/|(?:^|/)core-?chain$
execution bitlayer like any-geth
  programs -
  images (?:^|/)bitlayer(?:-|$|/)
execution ab like any-geth
  programs -
  images (?:^|/)ab-?(?:core|geth|node)$
execution neox like any-geth
  programs -
  images (?:^|[/-])neo-?x(?:-|$)
execution zircuit like any-geth
  programs -
  images (?:^|/)(?:zircuit/|zircuit-?(?:l2-?)?geth$)
execution taiko-geth like any-geth
execution linea-geth like any-geth
execution worldland like any-geth
  programs -
  images (?:^|/)worldland(?:-|$|/)
execution lightlink like any-geth
  programs -
  images (?:^|/)lightlink(?:-|$|/)
execution ronin like any-geth
  images (?:^|/)(?:axieinfinity|ronin-chain)/ronin$|(?:^|/)ronin$
`;
