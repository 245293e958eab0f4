/** Execution clients of other code bases, the programs of their images, and nodes for development. */

/** See `clientsOf`. */
export const execution = String.raw`
execution rbuilder
  isConfigured
  port http
# The programs of erigon’s image that are no node: they serve gRPC without login.
- erigon-part
  programs -
  images -
execution erigon sentry like erigon-part
  sharedPrograms sentry
  beside sentry.api.addr
  port grpc bind=--sentry.api.addr usual=?:9091
execution erigon downloader like erigon-part
  sharedPrograms downloader
  beside downloader.api.addr
  port grpc bind=--downloader.api.addr usual=?:9093
execution erigon txpool like erigon-part
  sharedPrograms txpool
  beside txpool.api.addr
  port grpc bind=--txpool.api.addr
execution erigon sentinel like erigon-part
  sharedPrograms sentinel
  beside sentinel.addr
  port grpc bind=--sentinel.addr usual=?:7777
execution erigon diag like erigon-part
  sharedPrograms diag
  beside diagnostics.addr
  port grpc bind=--diagnostics.addr
consensus caplin
  images -
  port beacon enable=--beacon.api bind=--beacon.api.addr port=--beacon.api.port modules=--beacon.api
    usual=localhost:5555
execution erigon mcp like erigon-part
  sharedPrograms mcp
  own sse.addr
  port mcp enable=--sse.addr bind=--sse.addr usual=?:8553
execution nethermind
  programs /^nethermind(?:\.runner)?(?:\.dll)?$/i
  images (?:^|/)nethermind/nethermind$|(?:^|/)nethermindeth/|(?:^|/)nethermind$
  own JsonRpc.* HealthChecks.* jsonrpc-host jsonrpc-enabledmodules jsonrpc-enginehost
    jsonrpc-additionalrpcurls
  clientName ^nethermind/
  configFiles --config -c
  takesSeparateBooleans
  # --JsonRpc.Host is --jsonrpc-host too, and NETHERMIND_JSONRPCCONFIG_HOST, which counts if it is not blank.
  dashes
  variables NETHERMIND_ CONFIG_
  blankIsUnset
  # The settings named mainnet, which it reads if it is given no others, turn JSON-RPC on.
  port http isOn=true enable=--JsonRpc.Enabled bind=--JsonRpc.Host port=--JsonRpc.Port
    modules=--JsonRpc.EnabledModules origins=--JsonRpc.CorsOrigins usual=127.0.0.1:8545
    usualModules=Eth,Subscribe,Trace,TxPool,Web3,Proof,Net,Parity,Health,Rpc usualOrigins=*
  port engine needs=--JsonRpc.Enabled enable=--JsonRpc.EnginePort bind=--JsonRpc.EngineHost
    port=--JsonRpc.EnginePort usual=127.0.0.1:8551
    switch=--JsonRpc.UnsecureDevNoRpcAuthentication no login
  port additional isOn=true needs=--JsonRpc.Enabled enable=--JsonRpc.AdditionalRpcUrls
    bind=--JsonRpc.AdditionalRpcUrls isPacked=true origins=--JsonRpc.CorsOrigins off=^(?:\[\])?$
    usual=localhost:8551 usualModules=net,eth,subscribe,engine,web3,client usualOrigins=*
    switch=--JsonRpc.UnsecureDevNoRpcAuthentication no login
  port metrics enable=--Metrics.Enabled --Metrics.ExposePort bind=--Metrics.ExposeHost
    port=--Metrics.ExposePort
execution parity
  sharedPrograms parity openethereum
  idle account export import signer snapshot restore tools db
  images (?:^|/)(?:parity/parity|(?:openethereum/)?openethereum)$
  own jsonrpc-interface jsonrpc-apis jsonrpc-hosts jsonrpc-cors ws-interface ws-apis ws-hosts unsafe-expose
  clientName ^(?:Parity-Ethereum|OpenEthereum)/
  configFiles --config -c
  port http disable=--no-jsonrpc bind=--jsonrpc-interface port=--jsonrpc-port modules=--jsonrpc-apis
    usual=127.0.0.1:8545
    switch=--unsafe-expose every interface
  port ws disable=--no-ws bind=--ws-interface port=--ws-port modules=--ws-apis usual=127.0.0.1:8546
execution besu
  idle operator blocks public-key rlp password storage validate-config
  images (?:^|/)(?:hyperledger|besu)/besu$|(?:^|/)(?:linea-)?besu(?:-package)?$
  own rpc-http-* rpc-ws-* engine-rpc-* engine-jwt-disabled engine-jwt-secret engine-host-allowlist
    graphql-http-*
  clientName ^(?:linea-)?besu/
  configFiles --config-file --profile
  takesSeparateBooleans
  variables BESU_
  port http enable=--rpc-http-enabled bind=--rpc-http-host port=--rpc-http-port
    modules=--rpc-http-api --rpc-http-apis origins=--rpc-http-cors-origins
    hosts=--host-allowlist --host-whitelist usual=127.0.0.1:8545 usualModules=ETH,NET,WEB3
    switch=--rpc-http-authentication-enabled login required
    switch=--rpc-http-api-methods-no-auth some methods without login
    switch=--rpc-http-api-method-no-auth some methods without login
  port ws enable=--rpc-ws-enabled bind=--rpc-ws-host port=--rpc-ws-port modules=--rpc-ws-api --rpc-ws-apis
    hosts=--host-allowlist --host-whitelist usual=127.0.0.1:8546 usualModules=ETH,NET,WEB3
    switch=--rpc-ws-authentication-enabled login required
    switch=--rpc-ws-api-methods-no-auth some methods without login
    switch=--rpc-ws-api-method-no-auth some methods without login
  port graphql enable=--graphql-http-enabled bind=--graphql-http-host port=--graphql-http-port
    origins=--graphql-http-cors-origins hosts=--host-allowlist --host-whitelist usual=127.0.0.1:8547
  port engine isOn=true enable=--engine-rpc-enabled bind=--rpc-http-host port=--engine-rpc-port
    hosts=--engine-host-allowlist usual=127.0.0.1:8551
    switch=--engine-jwt-disabled no login
  port metrics enable=--metrics-enabled bind=--metrics-host port=--metrics-port usual=127.0.0.1:9545
execution bor
  serving server
  idle account attach bootnode chain debug dumpconfig fingerprint peers removedb snapshot status version
  images (?:^|/)(?:0xpolygon|maticnetwork)/bor$|(?:^|/)bor$
  own bor.logs bor.devfakeauthor bor.useheimdallapp bor.runheimdall bor.runheimdallargs bor.heimdalltimeout
    bor.heimdallWS
  clientName ^bor/
  configFiles --config
  port http enable=--http --dev bind=--http.addr jsonrpc.http.host port=--http.port jsonrpc.http.port
    modules=--http.api jsonrpc.http.api usual=127.0.0.1:8545 usualModules=eth,net,web3,txpool,bor
    switch=--unlock accounts unlocked
    switch=--allow-insecure-unlock insecure unlock allowed
  port ws enable=--ws bind=--ws.addr jsonrpc.ws.host port=--ws.port jsonrpc.ws.port modules=--ws.api
    jsonrpc.ws.api usual=?:8546 usualModules=net,web3
  port grpc bind=--grpc.addr grpc.addr usual=0.0.0.0:3131
  port pprof enable=--pprof bind=--pprof.addr port=--pprof.port usual=?:6060
execution nitro
  images (?:^|/)offchainlabs/nitro-node(?:-dev)?$|(?:^|/)nitro(?:-node)?$
  own parent-chain.* node.feed.* node.staker.* node.sequencer node.batch-poster.* ws.expose-all
  clientName ^nitro/
  configFiles --conf.file --conf.string --conf.env-prefix
  port http enable=--http.addr bind=--http.addr port=--http.port modules=--http.api off=^$ usual=?:8547
    usualModules=eth,net,web3,arb
  port ws enable=--ws.addr bind=--ws.addr port=--ws.port modules=--ws.api off=^$ usual=?:8548
    switch=--ws.expose-all all private APIs
  port engine bind=--auth.addr port=--auth.port usual=127.0.0.1:8549
  port metrics enable=--metrics bind=--metrics-server.addr port=--metrics-server.port usual=?:6070
  port pprof enable=--pprof bind=--pprof-cfg.addr port=--pprof-cfg.port usual=?:6071
  port feed enable=--node.feed.output.enable bind=--node.feed.output.addr port=--node.feed.output.port
    usual=?:9642
execution avalanchego
  images (?:^|/)avalanchego(?:_subnet-evm)?$
  own api-admin-enabled http-allowed-hosts http-allowed-origins chain-config-content chain-config-dir
    track-subnets staking-tls-cert-file config-file-content
  configFiles --config-file --config-file-content
  variables AVAGO_
  port http bind=--http-host port=--http-port usual=127.0.0.1:9650
    switch=--api-admin-enabled admin API enabled
    switch=--api-keystore-enabled keystore API enabled
execution cosmos-evm
  programs cronosd evmosd ethermintd evmd injectived kavad kava cantod haqqd zgchaind 0gchaind beacond seid
    mantrachaind humansd
  sharedPrograms /^[a-z0-9][\w-]*d$/
  serving start
  images (?:^|/)(?:cronos|evmos|ethermint|injective(?:-core)?|kava|canto|haqq|0g-?chain|beacon-kit|beacond|sei-chain)$
  own json-rpc.*
  clientName ^(?:Version |cronos|evmos)
  isConfigured
  port json-rpc isOn=? enable=--json-rpc.enable json-rpc.enable bind=--json-rpc.address json-rpc.address
    modules=--json-rpc.api json-rpc.api usual=?:8545
    switch=--json-rpc.allow-insecure-unlock insecure unlock allowed
  port json-rpc ws isOn=? enable=--json-rpc.enable bind=--json-rpc.ws-address json-rpc.ws-address usual=?:8546
  port grpc isOn=? enable=--grpc.enable grpc.enable bind=--grpc.address grpc.address
  port cometbft bind=--rpc.laddr rpc.laddr usual=?:26657
    switch=--rpc.unsafe unsafe methods
  port rest isOn=? enable=--api.enable api.enable bind=--api.address api.address usual=?:1317
execution ethrex
  idle removedb import export compute-state-root help
  images (?:^|/)ethrex(?:-l2)?$
  clientName ^ethrex/
  variables ETHREX_
  port http bind=--http.addr port=--http.port modules=--http.api usual=localhost:8545
  port engine bind=--authrpc.addr port=--authrpc.port usual=localhost:8551
  port metrics enable=--metrics bind=--metrics.addr port=--metrics.port usual=0.0.0.0:9090
execution nimbus-eth1
  programs nimbus_execution_client nimbus-eth1
  sharedPrograms nimbus
  idle import trusted-sync
  own engine-api engine-api-* rpc-api
  clientName ^nimbus-eth1/
  port http enable=--rpc --ws --engine-api bind=--http-address port=--http-port modules=--rpc-api --ws-api
    usual=?:8545
execution ethereumjs
  own rpcEngine rpcEngineAuth rpcEngineAddr rpcEnginePort rpcAddr rpcPort
  clientName ^EthereumJS/(?!TestRPC)
  takesSeparateBooleans
  port http enable=--rpc bind=--rpcAddr port=--rpcPort usual=?:8545
  port ws enable=--ws bind=--wsAddr port=--wsPort usual=?:8545
  port engine enable=--rpcEngine bind=--rpcEngineAddr port=--rpcEnginePort usual=?:8551
    switch=--rpcEngineAuth=false no login
execution zksync external node
  programs zksync_external_node external-node
  images (?:^|/)external-node(?:-.*)?$
  clientName ^zkSync/
  port http port=$EN_HTTP_PORT modules=$EN_API_NAMESPACES usual=?:3060
  port ws port=$EN_WS_PORT modules=$EN_API_NAMESPACES usual=?:3061
  port health port=$EN_HEALTHCHECK_PORT usual=?:3081
  port metrics enable=$EN_PROMETHEUS_PORT port=$EN_PROMETHEUS_PORT usual=?:3322
# Their accounts are public and unlocked.
development anvil
  images (?:^|/)foundry-rs/foundry$|(?:^|/)foundry$|(?:^|/)anvil$
  isToolbox
  own auto-impersonate
  clientName ^anvil/
  port http bind=--host $ANVIL_IP_ADDR port=--port -p usual=127.0.0.1:8545
development hardhat
  serving node
  idle test compile run clean console flatten verify accounts help ignition check coverage deploy init
  images (?:^|/)hardhat(?:-node)?$
  clientName ^HardhatNetwork/
  takesSeparateBooleans
  port http bind=--hostname port=--port usual=localhost:8545 isOtherInContainer=true
development ganache
  programs ganache ganache-cli
  idle instances
  images (?:^|/)trufflesuite/ganache(?:-cli)?$|(?:^|/)ganache(?:-cli)?$
  own wallet.mnemonic wallet.deterministic wallet.totalAccounts server.host
  clientName ^(?:Ganache/|EthereumJS TestRPC/)
  takesSeparateBooleans
  port http bind=--server.host --host --hostname -h port=--server.port --port -p usual=localhost:8545
    isOtherInContainer=true
`;
