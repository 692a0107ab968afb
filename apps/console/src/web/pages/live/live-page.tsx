import { Link, useSearch } from '@tanstack/react-router';
import { readConditions } from '@tickrate/contract/conditions';
import { type ReactNode, useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, ProblemNote } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useChangeSearch } from '../../layout/use-change-search.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { useTypeNames } from '../explore/builder/use-members.ts';
import { useFirstEvent } from '../overview/first-event/use-first-event.tsx';
import { RejectedLink } from '../quarantine/rejected-link.tsx';
import type { LiveSearch } from './live-search.ts';
import { liveTexts } from './live-texts.ts';
import type { LiveEvent } from './open-live.ts';
import { type Live, useLive } from './use-live.ts';

export function LivePage(): ReactNode {
  const texts = useTexts(liveTexts);
  const [isPaused, setPaused] = useState(false);
  const [open, setOpen] = useState<LiveEvent | null>(null);
  const { types, account, session, where } = useSearch({ from: '/p/$projectId/live' });
  const read = readConditions(where ?? '');
  const conditions = read.ok ? read.conditions : [];
  const query = {
    ...(types !== undefined && { types }),
    ...(account !== undefined && { accountId: account }),
    ...(session !== undefined && { sessionId: session }),
    ...(conditions.length > 0 && { where: JSON.stringify(conditions) }),
  };
  const live = useLive(query, isPaused);
  const first = useFirstEvent();
  return (
    <Page
      actions={
        <>
          {/* Events that a game sent, and that the stream lacks. */}
          <RejectedLink range="24h" text={texts.rejected} />
          <StatusOfStream live={live} />
          <Button
            look={isPaused ? 'primary' : 'plain'}
            icon={isPaused ? 'play' : 'pause'}
            onPress={() => setPaused(!isPaused)}
          >
            {isPaused ? texts.follow : texts.pause}
          </Button>
        </>
      }
    >
      <Filters key={JSON.stringify(query)} filters={{ types, account, session, where }} />
      <ProblemNote problem={live.problem} />
      {live.failing && <p className="text-bad">{texts.failing}</p>}
      {first.steps}
      <div className={`grid grid-cols-1 gap-3 ${open === null ? '' : 'xl:grid-cols-[3fr_2fr]'}`}>
        {!first.isEmpty && <Stream events={live.events} openId={open?.eventId ?? null} onOpen={setOpen} />}
        {open !== null && (
          // Above the stream on a narrow screen: below it, nobody sees that it opened.
          <div className="max-xl:order-first">
            <Details event={open} onClose={() => setOpen(null)} />
          </div>
        )}
      </div>
    </Page>
  );
}

/** How far the page is behind, and what it left out. It never loses events in silence. */
function StatusOfStream({ live }: { readonly live: Live }): ReactNode {
  const texts = useTexts(liveTexts);
  const formats = useFormats();
  const { lagSeconds, skipped, unread } = live;
  return (
    <span className="flex flex-wrap items-center gap-2">
      {lagSeconds !== null && (
        <Badge tone={lagSeconds > 5 ? 'bad' : 'plain'}>{texts.lag(formats.duration(lagSeconds))}</Badge>
      )}
      {skipped > 0 && <Badge>{texts.skipped(formats.number(skipped))}</Badge>}
      {unread > 0 && <Badge tone="bad">{texts.unread(formats.number(unread))}</Badge>}
    </span>
  );
}

/** In characters. */
const mostOfType = 40;

interface StreamProps {
  readonly events: readonly LiveEvent[];
  readonly openId: string | null;
  readonly onOpen: (event: LiveEvent) => void;
}

function Stream({ events, openId, onOpen }: StreamProps): ReactNode {
  const texts = useTexts(liveTexts);
  const formats = useFormats();
  const longest = Math.max(...events.map(({ type }) => type.length));
  if (events.length === 0) return <EmptyState icon="radio" title={texts.waiting} text={texts.waitingText} />;
  return (
    <Panel isFlush>
      <DataTable
        label={texts.live}
        rows={events}
        keyOf={({ eventId }) => eventId}
        openKey={openId}
        onOpen={onOpen}
        height="max(400px, calc(100dvh - 182px))"
        columns={[
          { title: texts.received, width: '84px', render: ({ received }) => formats.clock(received) },
          {
            title: texts.type,
            width: `minmax(${Math.min(longest, 18) * 8 + 24}px, ${Math.min(longest, mostOfType) * 8 + 24}px)`,
            look: 'code',
            render: ({ type }) => type,
          },
          {
            title: texts.player,
            width: 'minmax(90px, 200px)',
            look: 'code',
            render: ({ accountId }) => accountId ?? '–',
          },
          {
            title: texts.event,
            isDetail: true,
            // Beside an open event the rest is cut with dots, as everywhere.
            width: 'minmax(140px, 1fr)',
            look: 'softCode',
            render: ({ event }) => JSON.stringify(event),
          },
        ]}
      />
    </Panel>
  );
}

function Details({ event, onClose }: { readonly event: LiveEvent; readonly onClose: () => void }): ReactNode {
  const texts = useTexts(liveTexts);
  const { event: body, ...row } = event;
  const { accountId, type } = event;
  return (
    <Panel title={texts.event} actions={<IconButton icon="x" label={texts.event} onPress={onClose} />}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap gap-4 text-accent">
          <Link
            to="/p/$projectId/types/$name"
            from="/p/$projectId"
            params={{ name: type }}
            className="underline"
          >
            {texts.openType}
          </Link>
          {accountId !== null && (
            <Link
              to="/p/$projectId/players/$accountId"
              from="/p/$projectId"
              params={{ accountId }}
              className="underline"
            >
              {texts.openPlayer}
            </Link>
          )}
          <Link to="/p/$projectId/quarantine" from="/p/$projectId" search={{ type }} className="underline">
            {texts.openQuarantine}
          </Link>
        </div>
        <Part title={texts.body} code={JSON.stringify(body, null, 2)} />
        <Part title={texts.row} code={JSON.stringify(row, null, 2)} />
      </div>
    </Panel>
  );
}

function Part({ title, code }: { readonly title: string; readonly code: string }): ReactNode {
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-sm text-soft">{title}</h3>
      <CodeBlock label={title} code={code} />
    </div>
  );
}

/** The filters of the stream, which are in the address. */
function Filters({ filters }: { readonly filters: LiveSearch }): ReactNode {
  const texts = useTexts(liveTexts);
  const changeSearch = useChangeSearch();
  const [account, setAccount] = useState(filters.account ?? '');
  const [session, setSession] = useState(filters.session ?? '');
  const [where, setWhere] = useState(filters.where ?? '');
  const read = readConditions(where);
  const apply = (types: string | undefined) => {
    if (!read.ok) return;
    changeSearch({
      types,
      account: account.trim() || undefined,
      session: session.trim() || undefined,
      where: where.trim() || undefined,
    });
  };
  return (
    <Form
      data-search
      className="grid grid-cols-2 items-start gap-2 sm:flex sm:flex-wrap"
      onSubmit={() => apply(filters.types)}
    >
      <TypePicker types={filters.types} onChange={apply} />
      <TextField label={texts.player} value={account} onChange={setAccount} className={fieldShape} />
      <TextField label={texts.session} value={session} onChange={setSession} className={fieldShape} />
      <TextField
        label={texts.where}
        placeholder={texts.whereExample}
        value={where}
        onChange={setWhere}
        className={fieldShape}
        isMonospace
        error={read.ok ? null : texts.whereFault(read.part)}
      />
      <Button type="submit" icon="list-filter" className="sm:mt-6" isDisabled={!read.ok}>
        {texts.apply}
      </Button>
    </Form>
  );
}

interface TypePickerProps {
  /** Separated by commas. Undefined for all. */
  readonly types: string | undefined;
  readonly onChange: (types: string | undefined) => void;
}

/** Each choice adds a type, or takes it away. */
function TypePicker({ types, onChange }: TypePickerProps): ReactNode {
  const texts = useTexts(liveTexts);
  const known = useTypeNames();
  const chosen = types?.split(',').map((name) => name.trim()) ?? [];
  const names = [...new Set([...chosen, ...known])];
  const toggled = (name: string) =>
    chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name];
  return (
    <SelectField
      label={texts.types}
      className={fieldShape}
      value=""
      choices={['', ...(chosen.length > 0 ? [','] : []), ...names]}
      labelOf={(name) => {
        if (name === '' && chosen.length > 0) return chosen.join(', ');
        if (name === '' || name === ',') return texts.allTypes;
        return chosen.includes(name) ? `✓ ${name}` : name;
      }}
      onChange={(name) => onChange(name === ',' ? undefined : toggled(name).join(',') || undefined)}
    />
  );
}

/** On one line with the button at 1280 px, and never as long as a wide screen. */
const fieldShape = 'min-w-0 sm:max-w-72 sm:flex-[1_1_10rem]';
