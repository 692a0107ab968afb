/** Server settings as command line arguments, so that an old data folder gets new settings at every start. */
export function serverArguments(options: { port: number; fast: boolean }): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port: options.port,
    unix_socket_directories: '',
    max_connections: 200,
    password_encryption: 'scram-sha-256',
    shared_buffers: '192MB',
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    effective_cache_size: '1GB',
    // A queue rewrites the same pages all the time: few checkpoints, and enough WAL between two of them.
    wal_level: 'minimal',
    max_wal_senders: 0,
    wal_buffers: '16MB',
    min_wal_size: '256MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '10min',
    checkpoint_completion_target: 0.9,
    wal_compression: 'on',
    // Autovacuum checks for dead job rows often and removes them without pauses.
    autovacuum_naptime: '15s',
    autovacuum_vacuum_cost_limit: 2000,
    bgwriter_lru_maxpages: 500,
    random_page_cost: 1.1,
    jit: 'off',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    lc_messages: 'C',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(options.fast ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
