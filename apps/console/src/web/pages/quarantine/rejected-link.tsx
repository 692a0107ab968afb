import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from '../../api/use-call.ts';
import { useMay } from '../../components/states/permissions.tsx';
import { useFormats } from '../../texts/use-texts.ts';
import { nowMs } from '../../time/clock.ts';
import { resolveRange, timesOf } from '../../time/time-range.ts';

interface RejectedLinkProps {
  /** As in the address: `1h`. */
  readonly range: string;
  /** The default is every type. */
  readonly type?: string;
  readonly text: (count: string) => string;
}

/** Leads to the rejected events of groups with a sample to replay: to the group if they have one type and one reason. */
export function RejectedLink({ range, type, text }: RejectedLinkProps): ReactNode {
  const formats = useFormats();
  const may = useMay();
  const counts = useCall(
    'GET /v1/quarantine/counts',
    () => {
      const { from: since, to: until } = timesOf(resolveRange(range, nowMs()));
      return { query: { kind: 'rejected' as const, since, until, type } };
    },
    { key: `rejected ${range} ${type}`, everyMs: 10_000, enabled: may('quarantine:read') },
  );
  // A group also counts its replayed events.
  const waiting = ({ kept, unsampled }: { kept: number; unsampled: number }) => kept + unsampled;
  const groups = (counts.data?.results ?? []).filter(({ kept }) => kept > 0);
  if (groups.length === 0) return null;
  const search = {
    range,
    kind: 'rejected' as const,
    type: onlyOne(groups.map((each) => each.type)),
    reason: onlyOne(groups.map(({ reason }) => reason)),
  };
  return (
    <Link to="/p/$projectId/quarantine" from="/p/$projectId" search={search} className="text-bad underline">
      {text(formats.number(groups.reduce((sum, each) => sum + waiting(each), 0)))}
    </Link>
  );
}

function onlyOne(values: readonly (string | null)[]): string | undefined {
  const [value, ...others] = new Set(values);
  return others.length === 0 ? (value ?? undefined) : undefined;
}
