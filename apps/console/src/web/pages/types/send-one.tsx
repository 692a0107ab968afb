import { type ReactNode, useState } from 'react';
import { useAct, useCall } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { ProblemNote } from '../../components/states/problem-note.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { terminalLines } from '../overview/lines-of.ts';
import { isSchema, readMembers, type Schema } from './editor/edit-members.ts';
import { typesTexts } from './types-texts.ts';

interface SendOneProps {
  readonly name: string;
  readonly declaration: object;
}

/** A line for a terminal that sends an event of this type. Keys are not stored: a new one makes the line complete. */
export function SendOne({ name, declaration }: SendOneProps): ReactNode {
  const texts = useTexts(typesTexts);
  const [key, setKey] = useState<string | null>(null);
  const addresses = useCall('GET /session/addresses');
  const create = useAct('POST /v1/keys', {
    changes: ['GET /v1/keys'],
    onDone: ({ text }) => setKey(text),
  });
  return (
    <Panel
      title={texts.sendOne}
      actions={
        key === null && (
          <Button
            icon="key"
            needs="keys:write"
            isDisabled={create.isPending}
            onPress={() => create.mutate({ body: { kind: 'public', comment: texts.sendKeyComment } })}
          >
            {texts.sendKey}
          </Button>
        )
      }
    >
      <PageState query={addresses} skeletonLines={2}>
        {({ gateway }) => {
          const sent = { gateway, key: key ?? 'YOUR_KEY', type: name, sample: sampleOf(declaration) };
          return <CodeBlock label="curl" code={terminalLines(sent)[0]?.code ?? ''} isWrapped />;
        }}
      </PageState>
      {create.error !== null && <ProblemNote problem={create.error} />}
    </Panel>
  );
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  uuid: '019ab2c4-5d6e-7f80-9123-456789abcdef',
  email: 'ada@example.com',
  uri: 'https://example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
};

/** A value that fits a schema, from its examples and limits. A pattern is left to the reader. */
export function sampleOf(schema: unknown): unknown {
  if (!isSchema(schema)) return {};
  const { const: only, enum: values, examples, default: standard, type } = schema;
  const given = [only, ...listOf(examples), standard, ...listOf(values)].find((value) => value != null);
  if (given !== undefined) return given;
  switch (Array.isArray(type) ? type.find((name) => name !== 'null') : type) {
    case 'object':
      return Object.fromEntries(readMembers(schema).map(({ name, schema: each }) => [name, sampleOf(each)]));
    case 'array':
      return Array.from({ length: Math.max(1, numberAt(schema, 'minItems') ?? 1) }, () =>
        sampleOf(schema['items']),
      );
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return true;
    case 'string':
      return formats[String(schema['format'])] ?? sampleText(schema);
    default:
      return {};
  }
}

function sampleNumber(schema: Schema): number {
  const step = numberAt(schema, 'multipleOf') ?? 1;
  const above = numberAt(schema, 'exclusiveMinimum');
  const below = numberAt(schema, 'exclusiveMaximum');
  const least = numberAt(schema, 'minimum') ?? (above === undefined ? undefined : above + step);
  const most = numberAt(schema, 'maximum') ?? (below === undefined ? undefined : below - step);
  return Math.ceil(Math.min(Math.max(step, least ?? step), most ?? Number.POSITIVE_INFINITY) / step) * step;
}

function sampleText(schema: Schema): string {
  return 'text'.padEnd(numberAt(schema, 'minLength') ?? 0, '_').slice(0, numberAt(schema, 'maxLength'));
}

function numberAt(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
