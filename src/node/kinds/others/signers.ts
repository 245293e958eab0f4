/** Signers, and proxies that know JSON-RPC. */

/** See `clientsOf`. */
export const signers = `
signer web3signer
  serving eth2 eth1
  idle export import watermark-repair
  own http-listen-host http-listen-port key-store-path slashing-protection-* http-host-allowlist
    key-manager-api-enabled
  configFiles --config-file
  takesSeparateBooleans
  variables WEB3SIGNER_
  port http bind=--http-listen-host port=--http-listen-port usual=127.0.0.1:9000
    switch=--key-manager-api-enabled key manager enabled
    switch=--eth2-key-manager-api-enabled key manager enabled
  port metrics enable=--metrics-enabled bind=--metrics-host port=--metrics-port usual=?:9001
signer clef
  idle init attest setpw delpw newaccount gendoc importraw list-accounts list-wallets help
  own stdio-ui stdio-ui-test 4bytedb 4bytedb-custom
  port http enable=--http bind=--http.addr port=--http.port usual=?:8550
    switch=--rules rules sign without asking
proxy erpc
  programs erpc erpc-server
  idle validate help version
  isConfigured
  port http bind=server.httpHostV4 port=server.httpPortV4 usual=0.0.0.0:4000
  port metrics bind=metrics.hostV4 port=metrics.port usual=0.0.0.0:4001
proxy dshackle
  programs dshackle dshackle.jar
  isConfigured
  port grpc bind=host port=port usual=?:2449
  port http bind=proxy.host port=proxy.port
proxy proxyd
  isConfigured
  port rpc bind=server.rpc_host port=server.rpc_port
  port ws bind=server.ws_host port=server.ws_port
`;
