/** The command line of each launcher when every variable it reads is set: switches to 1, others to their own name. */
export const everything: Readonly<Record<string, string>> = {
  'kcnd/tar':
    '--metrics --prometheus --db.no-parallel-write --multichannel --rpc --rpcapi rpc_api --rpcport ' +
    'rpc_port --rpcaddr rpc_addr --rpccorsdomain rpc_corsdomain --rpcvhosts rpc_vhosts --ws --wsapi ' +
    'ws_api --wsport ws_port --wsaddr ws_addr --wsorigins ws_origins --networkid network_id --datadir ' +
    'data_dir --port port --subport subport --srvtype server_type --verbosity verbosity ' +
    '--txpool.exec-slots.all txpool_exec_slots_all --txpool.nonexec-slots.all txpool_nonexec_slots_all ' +
    '--txpool.exec-slots.account txpool_exec_slots_account --txpool.nonexec-slots.account ' +
    'txpool_nonexec_slots_account --syncmode syncmode --maxconnections maxconnections ' +
    '--db.leveldb.cache-size ldbcachesize --db.pebbledb.cache-size pdbcachesize --nodiscover --bootnodes ' +
    'bootnodes additional --rewardbase rewardbase --autorestart.enable --log.rotate --log.maxsize ' +
    'log_maxsize --log.maxbackup log_maxbackup --log.maxage log_maxage --log.compress',
  'kcnd/rpm':
    '--metrics --prometheus --db.no-parallel-write --multichannel --rpc --rpcapi rpc_api --rpcport ' +
    'rpc_port --rpcaddr rpc_addr --rpccorsdomain rpc_corsdomain --rpcvhosts rpc_vhosts --ws --wsapi ' +
    'ws_api --wsport ws_port --wsaddr ws_addr --wsorigins ws_origins --networkid network_id --datadir ' +
    'data_dir --port port --subport subport --srvtype server_type --verbosity verbosity ' +
    '--txpool.exec-slots.all txpool_exec_slots_all --txpool.nonexec-slots.all txpool_nonexec_slots_all ' +
    '--txpool.exec-slots.account txpool_exec_slots_account --txpool.nonexec-slots.account ' +
    'txpool_nonexec_slots_account --txpool.lifetime txpool_life_time --syncmode syncmode --maxconnections ' +
    'maxconnections --db.leveldb.cache-size ldbcachesize --db.pebbledb.cache-size pdbcachesize ' +
    '--nodiscover --bootnodes bootnodes additional --rewardbase rewardbase --autorestart.enable ' +
    '--log.rotate --log.maxsize log_maxsize --log.maxbackup log_maxbackup --log.maxage log_maxage ' +
    '--log.compress',
  'kpnd/tar':
    '--metrics --prometheus --db.no-parallel-write --multichannel --rpc --rpcapi rpc_api --rpcport ' +
    'rpc_port --rpcaddr rpc_addr --rpccorsdomain rpc_corsdomain --rpcvhosts rpc_vhosts --ws --wsapi ' +
    'ws_api --wsport ws_port --wsaddr ws_addr --wsorigins ws_origins --networkid network_id --datadir ' +
    'data_dir --port port --subport subport --srvtype server_type --verbosity verbosity ' +
    '--txpool.exec-slots.all txpool_exec_slots_all --txpool.nonexec-slots.all txpool_nonexec_slots_all ' +
    '--txpool.exec-slots.account txpool_exec_slots_account --txpool.nonexec-slots.account ' +
    'txpool_nonexec_slots_account --syncmode syncmode --maxconnections maxconnections ' +
    '--db.leveldb.cache-size ldbcachesize --db.pebbledb.cache-size pdbcachesize --nodiscover --bootnodes ' +
    'bootnodes additional --log.rotate --log.maxsize log_maxsize --log.maxbackup log_maxbackup ' +
    '--log.maxage log_maxage --log.compress',
  'kpnd/rpm':
    '--metrics --prometheus --db.no-parallel-write --multichannel --rpc --rpcapi rpc_api --rpcport ' +
    'rpc_port --rpcaddr rpc_addr --rpccorsdomain rpc_corsdomain --rpcvhosts rpc_vhosts --ws --wsapi ' +
    'ws_api --wsport ws_port --wsaddr ws_addr --wsorigins ws_origins --networkid network_id --datadir ' +
    'data_dir --port port --subport subport --srvtype server_type --verbosity verbosity ' +
    '--txpool.exec-slots.all txpool_exec_slots_all --txpool.nonexec-slots.all txpool_nonexec_slots_all ' +
    '--txpool.exec-slots.account txpool_exec_slots_account --txpool.nonexec-slots.account ' +
    'txpool_nonexec_slots_account --txpool.lifetime txpool_life_time --syncmode syncmode --maxconnections ' +
    'maxconnections --db.leveldb.cache-size ldbcachesize --db.pebbledb.cache-size pdbcachesize ' +
    '--nodiscover --bootnodes bootnodes additional --log.rotate --log.maxsize log_maxsize --log.maxbackup ' +
    'log_maxbackup --log.maxage log_maxage --log.compress',
  'kend/tar':
    '--metrics --prometheus --db.no-parallel-write --multichannel --rpc --rpcapi rpc_api --rpcport ' +
    'rpc_port --rpcaddr rpc_addr --rpccorsdomain rpc_corsdomain --rpcvhosts rpc_vhosts ' +
    '--rpc.concurrencylimit rpc_concurrencylimit --rpcreadtimeout rpc_read_timeout --rpcwritetimeout ' +
    'rpc_write_timeout --rpcidletimeout rpc_idle_timeout --rpcexecutiontimeout rpc_execution_timeout --ws ' +
    '--wsapi ws_api --wsport ws_port --wsaddr ws_addr --wsorigins ws_origins --networkid network_id ' +
    '--datadir data_dir --port port --subport subport --srvtype server_type --verbosity verbosity ' +
    '--txpool.exec-slots.all txpool_exec_slots_all --txpool.nonexec-slots.all txpool_nonexec_slots_all ' +
    '--txpool.exec-slots.account txpool_exec_slots_account --txpool.nonexec-slots.account ' +
    'txpool_nonexec_slots_account --syncmode syncmode --maxconnections maxconnections ' +
    '--db.leveldb.cache-size ldbcachesize --db.pebbledb.cache-size pdbcachesize --mainbridge ' +
    '--mainbridgeport sc_main_bridge_port --childchainindexing --nodiscover --bootnodes bootnodes ' +
    'additional --autorestart.enable --log.rotate --log.maxsize log_maxsize --log.maxbackup log_maxbackup ' +
    '--log.maxage log_maxage --log.compress --dbtype db_type --db.single --db.dynamo.tablename ' +
    'db_dynamo_tablename --db.dynamo.read-only --gcmode gcmode --state.trie-cache-limit ' +
    'state_trie_cache_limit --statedb.cache.type statedb_cache_type --statedb.cache.redis.endpoints ' +
    'statedb_redis_endpoint --statedb.cache.redis.publish --statedb.cache.redis.subscribe --vm.internaltx ' +
    '--kes.nodetype.service',
  'kend/rpm':
    '--metrics --prometheus --db.no-parallel-write --multichannel --rpc --rpcapi rpc_api --rpcport ' +
    'rpc_port --rpcaddr rpc_addr --rpccorsdomain rpc_corsdomain --rpcvhosts rpc_vhosts ' +
    '--rpc.concurrencylimit rpc_concurrencylimit --rpcreadtimeout rpc_read_timeout --rpcwritetimeout ' +
    'rpc_write_timeout --rpcidletimeout rpc_idle_timeout --rpcexecutiontimeout rpc_execution_timeout --ws ' +
    '--wsapi ws_api --wsport ws_port --wsaddr ws_addr --wsorigins ws_origins --networkid network_id ' +
    '--datadir data_dir --port port --subport subport --srvtype server_type --verbosity verbosity ' +
    '--txpool.exec-slots.all txpool_exec_slots_all --txpool.nonexec-slots.all txpool_nonexec_slots_all ' +
    '--txpool.exec-slots.account txpool_exec_slots_account --txpool.nonexec-slots.account ' +
    'txpool_nonexec_slots_account --txpool.lifetime txpool_life_time --syncmode syncmode --maxconnections ' +
    'maxconnections --db.leveldb.cache-size ldbcachesize --db.pebbledb.cache-size pdbcachesize ' +
    '--mainbridge --mainbridgeport sc_main_bridge_port --childchainindexing --nodiscover --bootnodes ' +
    'bootnodes additional --autorestart.enable --log.rotate --log.maxsize log_maxsize --log.maxbackup ' +
    'log_maxbackup --log.maxage log_maxage --log.compress',
  'kscnd/tar':
    '--nodiscover --metrics --prometheus --db.no-parallel-write --multichannel --rpc --rpcapi rpc_api ' +
    '--rpcport rpc_port --rpcaddr rpc_addr --rpccorsdomain rpc_corsdomain --rpcvhosts rpc_vhosts --ws ' +
    '--wsapi ws_api --wsport ws_port --wsaddr ws_addr --wsorigins ws_origins --networkid network_id ' +
    '--datadir data_dir --port port --subport subport --srvtype server_type --verbosity verbosity ' +
    '--txpool.exec-slots.all txpool_exec_slots_all --txpool.nonexec-slots.all txpool_nonexec_slots_all ' +
    '--txpool.exec-slots.account txpool_exec_slots_account --txpool.nonexec-slots.account ' +
    'txpool_nonexec_slots_account --syncmode syncmode --maxconnections maxconnections ' +
    '--db.leveldb.cache-size ldbcachesize --db.pebbledb.cache-size pdbcachesize --scsigner scsigner ' +
    '--unlock scsigner --password scsigner_passwd_file --mainbridge --mainbridgeport sc_main_bridge_port ' +
    '--childchainindexing --subbridge --subbridgeport sc_sub_bridge_port --chaintxperiod ' +
    'sc_anchoring_period --chaintxlimit sc_tx_limit --parentchainid sc_parent_chain_id --anchoring ' +
    '--kas.sc.anchor --kas.sc.anchor.period sc_kas_anchor_period --kas.sc.anchor.url sc_kas_anchor_url ' +
    '--kas.sc.anchor.operator sc_kas_anchor_operator --kas.accesskey sc_kas_anchor_access_key ' +
    '--kas.secretkey sc_kas_anchor_secret_key --kas.x-chain-id sc_kas_anchor_x_chain_id ' +
    '--kas.sc.anchor.request.timeout sc_kas_anchor_request_timeout --sc.parentoperator.gaslimit ' +
    'sc_parent_operator_gaslimit --sc.childoperator.gaslimit sc_child_operator_gaslimit --vtrecovery ' +
    '--vtrecoveryinterval sc_vtrecovery_interval additional --rewardbase rewardbase --autorestart.enable ' +
    '--log.rotate --log.maxsize log_maxsize --log.maxbackup log_maxbackup --log.maxage log_maxage ' +
    '--log.compress',
  'kscnd/rpm':
    '--nodiscover --metrics --prometheus --db.no-parallel-write --multichannel --rpc --rpcapi rpc_api ' +
    '--rpcport rpc_port --rpcaddr rpc_addr --rpccorsdomain rpc_corsdomain --rpcvhosts rpc_vhosts --ws ' +
    '--wsapi ws_api --wsport ws_port --wsaddr ws_addr --wsorigins ws_origins --networkid network_id ' +
    '--datadir data_dir --port port --subport subport --srvtype server_type --verbosity verbosity ' +
    '--txpool.exec-slots.all txpool_exec_slots_all --txpool.nonexec-slots.all txpool_nonexec_slots_all ' +
    '--txpool.exec-slots.account txpool_exec_slots_account --txpool.nonexec-slots.account ' +
    'txpool_nonexec_slots_account --txpool.lifetime txpool_life_time --syncmode syncmode --maxconnections ' +
    'maxconnections --db.leveldb.cache-size ldbcachesize --db.pebbledb.cache-size pdbcachesize --scsigner ' +
    'scsigner --unlock scsigner --password scsigner_passwd_file --mainbridge --mainbridgeport ' +
    'sc_main_bridge_port --childchainindexing --subbridge --subbridgeport sc_sub_bridge_port ' +
    '--chaintxperiod sc_anchoring_period --chaintxlimit sc_tx_limit --parentchainid sc_parent_chain_id ' +
    '--anchoring --kas.sc.anchor --kas.sc.anchor.period sc_kas_anchor_period --kas.sc.anchor.url ' +
    'sc_kas_anchor_url --kas.sc.anchor.operator sc_kas_anchor_operator --kas.accesskey ' +
    'sc_kas_anchor_access_key --kas.secretkey sc_kas_anchor_secret_key --kas.x-chain-id ' +
    'sc_kas_anchor_x_chain_id --kas.sc.anchor.request.timeout sc_kas_anchor_request_timeout ' +
    '--sc.parentoperator.gaslimit sc_parent_operator_gaslimit --sc.childoperator.gaslimit ' +
    'sc_child_operator_gaslimit --vtrecovery --vtrecoveryinterval sc_vtrecovery_interval additional ' +
    '--autorestart.enable --log.rotate --log.maxsize log_maxsize --log.maxbackup log_maxbackup ' +
    '--log.maxage log_maxage --log.compress',
  'kspnd/tar':
    '--metrics --prometheus --db.no-parallel-write --multichannel --rpc --rpcapi rpc_api --rpcport ' +
    'rpc_port --rpcaddr rpc_addr --rpccorsdomain rpc_corsdomain --rpcvhosts rpc_vhosts --ws --wsapi ' +
    'ws_api --wsport ws_port --wsaddr ws_addr --wsorigins ws_origins --networkid network_id --datadir ' +
    'data_dir --port port --subport subport --srvtype server_type --verbosity verbosity ' +
    '--txpool.exec-slots.all txpool_exec_slots_all --txpool.nonexec-slots.all txpool_nonexec_slots_all ' +
    '--txpool.exec-slots.account txpool_exec_slots_account --txpool.nonexec-slots.account ' +
    'txpool_nonexec_slots_account --syncmode syncmode --maxconnections maxconnections ' +
    '--db.leveldb.cache-size ldbcachesize --db.pebbledb.cache-size pdbcachesize --nodiscover --bootnodes ' +
    'bootnodes --mainbridge --mainbridgeport sc_main_bridge_port --childchainindexing --subbridge ' +
    '--subbridgeport sc_sub_bridge_port --chaintxperiod sc_anchoring_period --chaintxlimit sc_tx_limit ' +
    '--parentchainid sc_parent_chain_id --anchoring --kas.sc.anchor --kas.sc.anchor.period ' +
    'sc_kas_anchor_period --kas.sc.anchor.url sc_kas_anchor_url --kas.sc.anchor.operator ' +
    'sc_kas_anchor_operator --kas.accesskey sc_kas_anchor_access_key --kas.secretkey ' +
    'sc_kas_anchor_secret_key --kas.x-chain-id sc_kas_anchor_x_chain_id --kas.sc.anchor.request.timeout ' +
    'sc_kas_anchor_request_timeout --sc.parentoperator.gaslimit sc_parent_operator_gaslimit ' +
    '--sc.childoperator.gaslimit sc_child_operator_gaslimit --vtrecovery --vtrecoveryinterval ' +
    'sc_vtrecovery_interval additional --log.rotate --log.maxsize log_maxsize --log.maxbackup ' +
    'log_maxbackup --log.maxage log_maxage --log.compress',
  'kspnd/rpm':
    '--metrics --prometheus --db.no-parallel-write --multichannel --rpc --rpcapi rpc_api --rpcport ' +
    'rpc_port --rpcaddr rpc_addr --rpccorsdomain rpc_corsdomain --rpcvhosts rpc_vhosts --ws --wsapi ' +
    'ws_api --wsport ws_port --wsaddr ws_addr --wsorigins ws_origins --networkid network_id --datadir ' +
    'data_dir --port port --subport subport --srvtype server_type --verbosity verbosity ' +
    '--txpool.exec-slots.all txpool_exec_slots_all --txpool.nonexec-slots.all txpool_nonexec_slots_all ' +
    '--txpool.exec-slots.account txpool_exec_slots_account --txpool.nonexec-slots.account ' +
    'txpool_nonexec_slots_account --txpool.lifetime txpool_life_time --syncmode syncmode --maxconnections ' +
    'maxconnections --db.leveldb.cache-size ldbcachesize --db.pebbledb.cache-size pdbcachesize ' +
    '--nodiscover --bootnodes bootnodes --mainbridge --mainbridgeport sc_main_bridge_port ' +
    '--childchainindexing --subbridge --subbridgeport sc_sub_bridge_port --chaintxperiod ' +
    'sc_anchoring_period --chaintxlimit sc_tx_limit --parentchainid sc_parent_chain_id --anchoring ' +
    '--kas.sc.anchor --kas.sc.anchor.period sc_kas_anchor_period --kas.sc.anchor.url sc_kas_anchor_url ' +
    '--kas.sc.anchor.operator sc_kas_anchor_operator --kas.accesskey sc_kas_anchor_access_key ' +
    '--kas.secretkey sc_kas_anchor_secret_key --kas.x-chain-id sc_kas_anchor_x_chain_id ' +
    '--kas.sc.anchor.request.timeout sc_kas_anchor_request_timeout --sc.parentoperator.gaslimit ' +
    'sc_parent_operator_gaslimit --sc.childoperator.gaslimit sc_child_operator_gaslimit --vtrecovery ' +
    '--vtrecoveryinterval sc_vtrecovery_interval additional --log.rotate --log.maxsize log_maxsize ' +
    '--log.maxbackup log_maxbackup --log.maxage log_maxage --log.compress',
  'ksend/tar':
    '--metrics --prometheus --db.no-parallel-write --multichannel --rpc --rpcapi rpc_api --rpcport ' +
    'rpc_port --rpcaddr rpc_addr --rpccorsdomain rpc_corsdomain --rpcvhosts rpc_vhosts ' +
    '--rpc.concurrencylimit rpc_concurrencylimit --rpcreadtimeout rpc_read_timeout --rpcwritetimeout ' +
    'rpc_write_timeout --rpcidletimeout rpc_idle_timeout --rpcexecutiontimeout rpc_execution_timeout --ws ' +
    '--wsapi ws_api --wsport ws_port --wsaddr ws_addr --wsorigins ws_origins --networkid network_id ' +
    '--datadir data_dir --port port --subport subport --srvtype server_type --verbosity verbosity ' +
    '--txpool.exec-slots.all txpool_exec_slots_all --txpool.nonexec-slots.all txpool_nonexec_slots_all ' +
    '--txpool.exec-slots.account txpool_exec_slots_account --txpool.nonexec-slots.account ' +
    'txpool_nonexec_slots_account --syncmode syncmode --maxconnections maxconnections ' +
    '--db.leveldb.cache-size ldbcachesize --db.pebbledb.cache-size pdbcachesize --nodiscover --bootnodes ' +
    'bootnodes --mainbridge --mainbridgeport sc_main_bridge_port --childchainindexing --subbridge ' +
    '--subbridgeport sc_sub_bridge_port --chaintxperiod sc_anchoring_period --chaintxlimit sc_tx_limit ' +
    '--parentchainid sc_parent_chain_id --anchoring --kas.sc.anchor --kas.sc.anchor.period ' +
    'sc_kas_anchor_period --kas.sc.anchor.url sc_kas_anchor_url --kas.sc.anchor.operator ' +
    'sc_kas_anchor_operator --kas.accesskey sc_kas_anchor_access_key --kas.secretkey ' +
    'sc_kas_anchor_secret_key --kas.x-chain-id sc_kas_anchor_x_chain_id --kas.sc.anchor.request.timeout ' +
    'sc_kas_anchor_request_timeout --sc.parentoperator.gaslimit sc_parent_operator_gaslimit ' +
    '--sc.childoperator.gaslimit sc_child_operator_gaslimit --vtrecovery --vtrecoveryinterval ' +
    'sc_vtrecovery_interval additional --autorestart.enable --log.rotate --log.maxsize log_maxsize ' +
    '--log.maxbackup log_maxbackup --log.maxage log_maxage --log.compress',
  'ksend/rpm':
    '--metrics --prometheus --db.no-parallel-write --multichannel --rpc --rpcapi rpc_api --rpcport ' +
    'rpc_port --rpcaddr rpc_addr --rpccorsdomain rpc_corsdomain --rpcvhosts rpc_vhosts ' +
    '--rpc.concurrencylimit rpc_concurrencylimit --rpcreadtimeout rpc_read_timeout --rpcwritetimeout ' +
    'rpc_write_timeout --rpcidletimeout rpc_idle_timeout --rpcexecutiontimeout rpc_execution_timeout --ws ' +
    '--wsapi ws_api --wsport ws_port --wsaddr ws_addr --wsorigins ws_origins --networkid network_id ' +
    '--datadir data_dir --port port --subport subport --srvtype server_type --verbosity verbosity ' +
    '--txpool.exec-slots.all txpool_exec_slots_all --txpool.nonexec-slots.all txpool_nonexec_slots_all ' +
    '--txpool.exec-slots.account txpool_exec_slots_account --txpool.nonexec-slots.account ' +
    'txpool_nonexec_slots_account --txpool.lifetime txpool_life_time --syncmode syncmode --maxconnections ' +
    'maxconnections --db.leveldb.cache-size ldbcachesize --db.pebbledb.cache-size pdbcachesize ' +
    '--nodiscover --bootnodes bootnodes --mainbridge --mainbridgeport sc_main_bridge_port ' +
    '--childchainindexing --subbridge --subbridgeport sc_sub_bridge_port --chaintxperiod ' +
    'sc_anchoring_period --chaintxlimit sc_tx_limit --parentchainid sc_parent_chain_id --anchoring ' +
    '--kas.sc.anchor --kas.sc.anchor.period sc_kas_anchor_period --kas.sc.anchor.url sc_kas_anchor_url ' +
    '--kas.sc.anchor.operator sc_kas_anchor_operator --kas.accesskey sc_kas_anchor_access_key ' +
    '--kas.secretkey sc_kas_anchor_secret_key --kas.x-chain-id sc_kas_anchor_x_chain_id ' +
    '--kas.sc.anchor.request.timeout sc_kas_anchor_request_timeout --sc.parentoperator.gaslimit ' +
    'sc_parent_operator_gaslimit --sc.childoperator.gaslimit sc_child_operator_gaslimit --vtrecovery ' +
    '--vtrecoveryinterval sc_vtrecovery_interval additional --autorestart.enable --log.rotate ' +
    '--log.maxsize log_maxsize --log.maxbackup log_maxbackup --log.maxage log_maxage --log.compress',
  'kbnd/tar':
    '--nodekey key_path --networkid network_id --metrics --prometheus --authorized-nodes authorized_nodes ' +
    'additional --datadir data_dir --log.rotate --log.maxsize log_maxsize --log.maxbackups log_maxbackup ' +
    '--log.maxage log_maxage --log.compress',
  'kbnd/rpm':
    '--nodekey key_path --networkid network_id --metrics --prometheus --datadir data_dir --authorized-nodes authorized_nodes additional ' +
    '--log.rotate --log.maxsize log_maxsize --log.maxbackup log_maxbackup --log.maxage log_maxage ' +
    '--log.compress',
};
