import { type ReactNode, useState } from 'react';
import { useAct, useCall } from '../../../api/use-call.ts';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { PageState, ProblemNote } from '../../../components/states/page-state.tsx';
import { type Permission, useMay } from '../../../components/states/permissions.tsx';
import { Icon } from '../../../look/icon.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { sampleOf } from '../../types/editor/sample-of.ts';
import { overviewTexts } from '../overview-texts.ts';
import { gameLines, sampleType, terminalLines } from './lines-of.ts';
import { SendButton } from './send-button.tsx';

interface FirstEventProps {
  readonly hasArrived: boolean;
  readonly onDone: () => void;
}

/** The way from an empty project to its first event, which the page then shows. */
export function FirstEvent({ hasArrived, onDone }: FirstEventProps): ReactNode {
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 py-6">
      {hasArrived && <Celebration onDone={onDone} />}
      <FirstEventSteps hasArrived={hasArrived} />
    </div>
  );
}

const sampleDeclaration = {
  type: 'object',
  required: ['level'],
  properties: {
    level: { type: 'integer', examples: [12] },
    score: { type: 'integer', examples: [4200] },
    character: { type: 'string', examples: ['ranger'] },
  },
};

/** What an empty page shows in a project without events. Once one has arrived, only the lines with the key. */
export function FirstEventSteps({ hasArrived }: Pick<FirstEventProps, 'hasArrived'>): ReactNode {
  const texts = useTexts(overviewTexts);
  const [key, setKey] = useState<string | null>(null);
  const types = useCall('GET /v1/event-types', { query: { limit: 200 } });
  const createKey = useAct('POST /v1/keys', {
    changes: ['GET /v1/keys'],
    onDone: ({ text }) => setKey(text),
  });
  const declare = useAct('POST /v1/event-types/{name}/versions', { changes: ['GET /v1/event-types'] });
  if (hasArrived && key === null) return null;
  return (
    <>
      {!hasArrived && (
        <div>
          <h2 className="text-xl font-semibold">{texts.firstTitle}</h2>
          <p className="text-soft">{texts.firstText}</p>
        </div>
      )}
      <PageState query={types}>
        {({ results }) => {
          const names = results.map(({ name }) => name);
          const type =
            names.includes(sampleType) || names.length === 0 ? sampleType : (names[0] ?? sampleType);
          return (
            <>
              {names.length === 0 && (
                <Step
                  isNext
                  text={texts.firstTypeText}
                  action={texts.firstType}
                  needs="eventTypes:write"
                  act={declare}
                  onAct={() =>
                    declare.mutate({ params: { name: sampleType }, body: { declaration: sampleDeclaration } })
                  }
                />
              )}
              {key === null && (
                <Step
                  isNext={names.length > 0}
                  text={texts.firstKeyText}
                  action={texts.firstKey}
                  needs="keys:write"
                  act={createKey}
                  onAct={() => createKey.mutate({ body: { kind: 'public', comment: 'Game builds' } })}
                />
              )}
              {key !== null && names.length > 0 && <SendLines apiKey={key} type={type} />}
            </>
          );
        }}
      </PageState>
      {!hasArrived && (
        <p role="status" className="flex items-center gap-2 text-soft">
          <span className="size-2 animate-pulse rounded-full bg-accent" />
          {texts.waiting}
        </p>
      )}
    </>
  );
}

interface StepProps {
  /** One button at a time is the one to press. */
  readonly isNext: boolean;
  readonly text: string;
  readonly action: string;
  readonly needs: Permission;
  readonly act: Pick<ReturnType<typeof useAct>, 'isPending' | 'error'>;
  readonly onAct: () => void;
}

function Step({ isNext, text, action, needs, act, onAct }: StepProps): ReactNode {
  const texts = useTexts(overviewTexts);
  const may = useMay();
  return (
    <div className="flex flex-col gap-2 rounded-lg border bg-panel p-4">
      <p>{text}</p>
      {may(needs) ? (
        <Button
          {...(isNext && { look: 'primary' })}
          className="self-start"
          isDisabled={act.isPending}
          onPress={onAct}
        >
          {action}
        </Button>
      ) : (
        <p className="text-soft">{texts.notAllowed}</p>
      )}
      <ProblemNote problem={act.error} />
    </div>
  );
}

function SendLines({ apiKey, type }: { readonly apiKey: string; readonly type: string }): ReactNode {
  const texts = useTexts(overviewTexts);
  const addresses = useCall('GET /session/addresses');
  const declared = useCall('GET /v1/event-types/{name}', { params: { name: type } });
  const sample = sampleOf(declared.data?.versions.at(-1)?.declaration ?? {});
  return (
    <div className="flex flex-col gap-3 rounded-lg border bg-panel p-4">
      <p>
        {texts.firstSend(type)} <strong>{texts.firstKeyOnce}</strong>
      </p>
      <PageState query={addresses} skeletonLines={3}>
        {({ gateway }) => <Lines sent={{ gateway, key: apiKey, type, sample }} />}
      </PageState>
    </div>
  );
}

function Lines({ sent }: { readonly sent: Parameters<typeof gameLines>[0] }): ReactNode {
  const texts = useTexts(overviewTexts);
  const games = gameLines(sent);
  const [chosen, setChosen] = useState(games[0]?.name ?? '');
  const game = games.find(({ name }) => name === chosen);
  return (
    <>
      <SendButton sent={sent} />
      {terminalLines(sent).map(({ name, code }) => (
        <div key={name} className="flex flex-col gap-1">
          <span className="text-sm text-soft">{name}</span>
          <CodeBlock label={name} code={code} isWrapped />
        </div>
      ))}
      <div className="flex flex-col gap-1">
        <SelectField
          label={texts.fromGame}
          value={chosen}
          choices={games.map(({ name }) => name)}
          onChange={setChosen}
          className="self-start"
        />
        {game !== undefined && <CodeBlock label={game.name} code={game.code} isWrapped />}
      </div>
    </>
  );
}

function Celebration({ onDone }: { readonly onDone: () => void }): ReactNode {
  const texts = useTexts(overviewTexts);
  const volume = useCall('POST /v1/analyses/volume', (times) => ({ body: { ...times, per: 'day' } }), {
    everyMs: 500,
  });
  const type = volume.data?.results[0]?.type;
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-accent bg-panel p-4">
      <h2 className="flex items-center gap-2 text-xl font-semibold">
        <Icon name="sparkles" size={20} className="text-accent" />
        {texts.celebrateTitle}
      </h2>
      <p className="text-soft">{type === undefined ? texts.celebrateText : texts.celebrateStored}</p>
      {type !== undefined && <FirstSample type={type} />}
      <Button look="primary" className="self-start" onPress={onDone}>
        {texts.celebrateDone}
      </Button>
    </div>
  );
}

function FirstSample({ type }: { readonly type: string }): ReactNode {
  const samples = useCall('GET /v1/event-types/{name}/samples', {
    params: { name: type },
    query: { limit: 1 },
  });
  return (
    <PageState query={samples} skeletonLines={2}>
      {({ results }) => <CodeBlock label={type} code={JSON.stringify({ type, ...results[0] }, null, 2)} />}
    </PageState>
  );
}
