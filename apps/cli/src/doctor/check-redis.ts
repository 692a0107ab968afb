import type { RedisFacts } from '@tickrate/pipeline';
import { bad, checkClock, type Finding, good, warning } from './finding.ts';

const oldestMajor = 7;

/** The settings that a Redis needs, or accepted events could be lost: ADR 5. */
export function checkRedis({ label, version, clockMs, ...facts }: RedisFacts, nowMs: number): Finding[] {
  const isNewEnough = Number.parseInt(version, 10) >= oldestMajor;
  return [
    isNewEnough
      ? good('Redis', `${label}: ${version}`)
      : warning('Redis', `${label}: ${version}`, `Upgrade it to ${oldestMajor} or newer, or use Valkey`),
    ...(facts.settings === null ? [unreadable(label)] : checkSettings(facts.settings)),
    facts.mostMemoryBytes > 0
      ? good('Redis memory', `at most ${Math.round(facts.mostMemoryBytes / 1024 ** 2)} MiB`)
      : warning(
          'Redis memory',
          'maxmemory is not set',
          'Set it below the memory of the machine, so that gateways refuse events before Redis is full',
        ),
    facts.refusal === null
      ? good('Redis writes', 'are accepted')
      : bad(
          'Redis writes',
          `are refused (${facts.refusal})`,
          adviceByRefusal[facts.refusal] ?? 'Read its log',
        ),
    checkClock('Redis clock', clockMs - nowMs),
  ];
}

const adviceByRefusal: Readonly<Record<string, string>> = {
  OOM: 'Raise maxmemory, or start more workers: the queue is full, and gateways refuse events',
  READONLY: 'Name the primary in QUEUE_URL: this server is a replica',
  MISCONF: 'Make its folder writable and free some disk space: its log says why it cannot save',
  NOREPLICAS: 'Start its replicas, or set min-replicas-to-write 0',
};

function unreadable(label: string): Finding {
  return warning(
    'Redis settings',
    `${label} does not show them`,
    'Check that maxmemory-policy is noeviction, appendonly is yes, and appendfsync is always or everysec',
  );
}

function checkSettings(settings: NonNullable<RedisFacts['settings']>): Finding[] {
  const { appendonly, appendfsync, evictionPolicy } = settings;
  return [
    evictionPolicy === 'noeviction'
      ? good('Redis eviction', 'nothing is thrown out')
      : bad(
          'Redis eviction',
          `maxmemory-policy ${evictionPolicy}`,
          'Set maxmemory-policy noeviction, with CONFIG SET and in its configuration: Redis may delete accepted events',
        ),
    appendonly === 'yes'
      ? checkSync(appendfsync)
      : bad(
          'Redis durability',
          'appendonly no',
          'Set appendonly yes, with CONFIG SET and in its configuration: a restart loses the queue',
        ),
  ];
}

function checkSync(appendfsync: string): Finding {
  const advice = 'Set appendfsync always, with CONFIG SET and in its configuration';
  if (appendfsync === 'always') return good('Redis durability', 'what is accepted survives a power cut');
  return appendfsync === 'everysec'
    ? warning(
        'Redis durability',
        'appendfsync everysec: a kill or a power cut can cost the last second',
        advice,
      )
    : bad('Redis durability', `appendfsync ${appendfsync}: a power cut can cost half a minute`, advice);
}
