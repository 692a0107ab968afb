import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useCall } from '../../api/use-call.ts';
import { useSettled } from '../../api/use-settled.ts';
import { Button } from '../../components/button.tsx';
import { useMay } from '../../components/states/permissions.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { usePreferences } from '../../look/preferences.ts';
import { faultText } from '../../texts/fault-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Meter } from '../pipeline/meter.tsx';
import type { QuarantineFilter } from './quarantine-search.ts';
import { quarantineTexts } from './quarantine-texts.ts';

interface SampleCheckProps {
  readonly type: string;
  readonly filter: QuarantineFilter;
  /** Null while it cannot be read. */
  readonly declaration: Readonly<Record<string, unknown>> | null;
  readonly onOpen: (id: string) => void;
}

type Checked = NonNullable<AnswerOf<'POST /v1/event-types/{name}/check'>['quarantined']>;

/** How many of the rejected events would pass with the declaration that is being edited. */
export function SampleCheck({ type, filter, declaration, onOpen }: SampleCheckProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const may = useMay();
  const settled = useSettled(declaration);
  const isPermitted = may('personal:read');
  const quarantined = filter.reason === undefined ? {} : { reason: filter.reason };
  const check = useCall(
    'POST /v1/event-types/{name}/check',
    { params: { name: type }, body: { declaration: settled ?? {}, quarantined } },
    { enabled: isPermitted && settled !== null, everyMs: 10_000 },
  );
  if (!isPermitted) return <p className="text-soft">{texts.checkHidden}</p>;
  const data = check.data?.quarantined ?? null;
  // The trial beside it shows what is wrong with the declaration.
  if (data === null || check.error !== null || settled === null || check.data === undefined) return null;
  return (
    <div className="flex flex-col gap-2 rounded-md border bg-ground p-3">
      <Verdict checked={data} />
      <NamedVersions type={type} checked={data} version={check.data.version} />
      <Refusals checked={data} onOpen={onOpen} />
    </div>
  );
}

function Verdict({ checked: data }: { readonly checked: Checked }): ReactNode {
  const texts = useTexts(quarantineTexts);
  const formats = useFormats();
  const { checked, passed, complete } = data;
  if (checked === 0) return <p role="status">{texts.checkNone}</p>;
  const say = complete ? texts.checkAll : texts.checkNewest;
  const verdict = say(formats.number(passed), formats.number(checked));
  return (
    <>
      <p role="status" className="font-semibold">
        {verdict}
      </p>
      <Meter label={verdict} value={passed} limit={checked} badFrom={2} />
    </>
  );
}

interface NamedVersionsProps {
  readonly type: string;
  readonly checked: Checked;
  readonly version: number;
}

/** Events that name a version are replayed as that version, whatever is declared now. */
function NamedVersions({ type, checked, version }: NamedVersionsProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const formats = useFormats();
  return checked.versions
    .filter((one) => one.version !== version)
    .map((one) => (
      <p key={one.version} className="text-soft">
        {texts.checkNamed(formats.number(one.events), String(one.version))}{' '}
        <Link to="/p/$projectId/types/$name" from="/p/$projectId" params={{ name: type }}>
          {texts.checkRetire}
        </Link>
      </p>
    ));
}

interface RefusalsProps {
  readonly checked: Checked;
  readonly onOpen: (id: string) => void;
}

const mostShown = 5;

/** The faults of those that do not pass, equal ones once. */
function Refusals({ checked, onOpen }: RefusalsProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const { language } = usePreferences();
  const byFault = Map.groupBy(checked.refusals, ({ pointer, message }) => `${pointer} ${message}`);
  const faults = Array.from(byFault.values()).slice(0, mostShown);
  if (faults.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1">
      {faults.flatMap(([first]) =>
        first === undefined ? (
          []
        ) : (
          <li key={first.id} className="flex items-center justify-between gap-2">
            <span className="foreign min-w-0 text-bad">
              <code className="font-mono text-sm">{first.pointer || '/'}</code> {faultText(first, language)}
            </span>
            <Button look="quiet" className="-mr-2.5" onPress={() => onOpen(first.id)}>
              {texts.checkShow}
            </Button>
          </li>
        ),
      )}
    </ul>
  );
}
