/** Consensus clients and validators. */

/** See `clientsOf`. */
export const consensus = `
- lighthouses
  idle account a am account_manager bootnode boot_node database_manager db validator_manager vm help
  images (?:^|/)sigp/lighthouse$|(?:^|/)lighthouse$
consensus lighthouse like lighthouses
  serving bn beacon beacon_node
  own execution-endpoint execution-endpoints execution-jwt unencrypted-http-transport http-allow-sync-stalled
    disable-deposit-contract-sync
  port http enable=--http --staking bind=--http-address port=--http-port usual=127.0.0.1:5052
  port metrics enable=--metrics bind=--metrics-address port=--metrics-port usual=127.0.0.1:5054
consensus lighthouse vc like lighthouses
  programs lighthouse
  serving vc validator validator_client
  own beacon-nodes init-slashing-protection unencrypted-http-transport
  port http enable=--http --staking bind=--http-address port=--http-port usual=127.0.0.1:5062
  port metrics enable=--metrics bind=--metrics-address port=--metrics-port usual=127.0.0.1:5064
consensus prysm beacon-chain
  programs /^(?:prysm-)?beacon-chain$/
  images (?:^|/)(?:prysmaticlabs|offchainlabs)/prysm[/-]beacon-chain$|(?:^|/)prysm-beacon-chain$
  own grpc-gateway-host grpc-gateway-port grpc-gateway-corsdomain disable-debug-rpc-endpoints p2p-host-ip
    accept-terms-of-use http-mev-relay
  configFiles --config-file
  port grpc bind=--rpc-host port=--rpc-port usual=127.0.0.1:4000
  port http bind=--http-host --grpc-gateway-host port=--http-port --grpc-gateway-port modules=--http-modules
    usual=127.0.0.1:3500
  port monitoring disable=--disable-monitoring bind=--monitoring-host port=--monitoring-port
    usual=127.0.0.1:8080
  port pprof enable=--pprof bind=--pprofaddr port=--pprofport usual=?:6060
consensus prysm validator
  programs prysm-validator
  sharedPrograms validator
  idle accounts wallet slashing-protection-history web
  images (?:^|/)(?:prysmaticlabs|offchainlabs)/prysm[/-]validator$|(?:^|/)prysm-validator$
  own beacon-rpc-provider beacon-rest-api-provider wallet-dir wallet-password-file
  configFiles --config-file
  port grpc enable=--rpc --web bind=--rpc-host port=--rpc-port usual=127.0.0.1:7000
  port http enable=--rpc --web bind=--http-host --grpc-gateway-host port=--http-port --grpc-gateway-port
    usual=127.0.0.1:7500
  port monitoring disable=--disable-monitoring bind=--monitoring-host port=--monitoring-port
    usual=127.0.0.1:8081
consensus teku
  idle transition genesis slashing-protection migrate-data migrate-database debug-tools admin voluntary-exit
    unstable peer validate-config
  images (?:^|/)(?:consensys/)?teku$
  own rest-api-* validator-api-* ee-endpoint ee-jwt-secret-file beacon-node-api-endpoint
    beacon-node-api-endpoints
  configFiles --config-file -c
  takesSeparateBooleans
  variables TEKU_
  port rest enable=--rest-api-enabled bind=--rest-api-interface port=--rest-api-port usual=?:5051
  port validator enable=--validator-api-enabled bind=--validator-api-interface port=--validator-api-port
    usual=?:5052
  port metrics enable=--metrics-enabled bind=--metrics-interface port=--metrics-port usual=?:8008
consensus nimbus
  programs /^nimbus_beacon_node(?:_.*)?$/
  idle deposits wallets slashingdb trustedNodeSync record web3 exit
  images (?:^|/)nimbus(?:-eth2|_beacon_node)?$
  own rest-address rest-port keymanager-address keymanager-port keymanager-token-file web3-url
  configFiles --config-file
  port rest enable=--rest bind=--rest-address port=--rest-port usual=127.0.0.1:5052
  port keymanager enable=--keymanager bind=--keymanager-address port=--keymanager-port usual=127.0.0.1:5052
  port metrics enable=--metrics bind=--metrics-address port=--metrics-port usual=?:8008
consensus nimbus validator client
  programs /^nimbus_validator_client(?:_.*)?$/
  images (?:^|/)nimbus-validator-client$
  configFiles --config-file
  port keymanager enable=--keymanager bind=--keymanager-address port=--keymanager-port usual=127.0.0.1:5052
  port metrics enable=--metrics bind=--metrics-address port=--metrics-port usual=?:8008
- lodestars
  programs lodestar lodestar.js
  images (?:^|/)chainsafe/lodestar$|(?:^|/)lodestar$
  configFiles --rcConfig
  takesSeparateBooleans
consensus lodestar like lodestars
  serving beacon dev
  idle validator bootnode lightclient account
  own rest.address rest.port rest.cors rest.namespace execution.urls checkpointSyncUrl
  port rest isOn=true enable=--rest bind=--rest.address port=--rest.port modules=--rest.namespace
    usual=127.0.0.1:9596
  port metrics enable=--metrics bind=--metrics.address port=--metrics.port usual=?:8008
consensus lodestar validator like lodestars
  serving validator
  idle bootnode lightclient account exit import list
  own keymanager keymanager.address keymanager.port keymanager.auth beaconNodes
  port keymanager enable=--keymanager bind=--keymanager.address port=--keymanager.port usual=?:5062
    switch=--keymanager.auth=false no login
  port metrics enable=--metrics bind=--metrics.address port=--metrics.port usual=?:8008
consensus grandine
  idle export import replay help
  own disable-http-api eth1-rpc-urls enable-validator-api http-allowed-origins
  port http disable=--disable-http-api bind=--http-address port=--http-port usual=127.0.0.1:?
    switch=--enable-validator-api validator API enabled
  port metrics enable=--metrics bind=--metrics-address port=--metrics-port usual=?:5054
consensus mev-boost
  own relay-check request-timeout-getheader
  port http bind=--addr $BOOST_LISTEN_ADDR usual=localhost:18550
consensus charon
  serving run
  idle create dkg enr combine version exit
  images (?:^|/)obolnetwork/charon$|(?:^|/)charon$
  own beacon-node-endpoints validator-api-address
  variables CHARON_
  port validator bind=--validator-api-address usual=?:3600
# Duties and signatures for validators; their files say what they open.
- configured
  isConfigured
  port api
consensus commit-boost like configured
  programs /^commit-boost(?:-(?:pbs|signer))?$/
  images (?:^|/)commit-boost/(?:pbs|signer|commit-boost)$
consensus prysm slasher like configured
  programs /^(?:prysm-)?slasher$/
  images (?:^|/)prysmaticlabs/prysm[/-]slasher$
consensus vouch like configured
  images (?:^|/)(?:attestantio|wealdtech)/vouch$
consensus dirk like configured
  images (?:^|/)(?:attestantio|wealdtech)/dirk$
consensus ssvnode like configured
  programs /^ssv-?node$/
  images (?:^|/)ssv-?node$
`;
