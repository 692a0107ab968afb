import { type ReactNode, useState } from 'react';
import { useCall } from '../../api/use-call.ts';
import { Bars } from '../../charts/bars.tsx';
import { Badge } from '../../components/badge.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { Icon } from '../../look/icon.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { isSchema, readMembers, type Schema } from './editor/edit-members.ts';
import { kindTexts, typesTexts } from './types-texts.ts';

interface MemberTableProps {
  readonly type: string;
  readonly declaration: object;
}

/** The members of the newest version. One that is opened shows how often it is filled, and its top values. */
export function MemberTable({ type, declaration }: MemberTableProps): ReactNode {
  const texts = useTexts(typesTexts);
  const kinds = useTexts(kindTexts);
  const [open, setOpen] = useState<string | null>(null);
  return (
    <Panel title={texts.members}>
      <ul className="flex flex-col">
        {membersOf({ ...declaration }).map(({ path, kind, isRequired, isPersonal, description }) => (
          <li key={path} className="border-b last:border-b-0">
            <button
              type="button"
              aria-expanded={open === path}
              className="flex min-h-8 w-full items-center gap-2 text-left hover:bg-raised max-sm:flex-wrap max-sm:gap-y-0.5 max-sm:py-1.5"
              onClick={() => setOpen(open === path ? null : path)}
            >
              <Icon name={open === path ? 'chevron-down' : 'chevron-right'} size={14} className="text-soft" />
              <span className="foreign truncate font-mono text-sm sm:w-40 sm:shrink-0">{path}</span>
              <span className="truncate text-soft sm:w-36 sm:shrink-0" title={kinds.kind(kind)}>
                {kinds.kind(kind)}
              </span>
              {isRequired && <Badge>{texts.required}</Badge>}
              {isPersonal && <Badge tone="bad">{texts.personal}</Badge>}
              <span className="foreign min-w-0 text-soft max-sm:basis-full max-sm:pl-5.5 sm:truncate">
                {description}
              </span>
            </button>
            {open === path && <MemberValues type={type} member={path} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function MemberValues({ type, member }: { readonly type: string; readonly member: string }): ReactNode {
  const texts = useTexts(typesTexts);
  const formats = useFormats();
  const values = useCall('POST /v1/analyses/breakdown', (times) => ({
    body: { ...times, type, member, mostValues: 10 },
  }));
  return (
    <div className="pb-2 pl-6">
      <PageState query={values} empty={<p className="text-soft">{texts.noExamples}</p>} skeletonLines={3}>
        {({ results }) => {
          const total = results.reduce((sum, { events }) => sum + events, 0);
          const missing = results.find(({ value }) => value === null)?.events ?? 0;
          const filled = results.filter(({ value }) => value !== null);
          return (
            <>
              <p className="text-sm text-soft">
                {texts.fill}: {formats.percent(1 - missing / Math.max(1, total))}
              </p>
              <Bars
                label={texts.topValues}
                bars={filled.map(({ value, events }) => ({
                  name: value ?? '',
                  value: events,
                  text: formats.number(events),
                }))}
              />
            </>
          );
        }}
      </PageState>
    </div>
  );
}

export interface DeclaredMember {
  /** Dotted, as analyses take it. */
  readonly path: string;
  readonly kind: string;
  readonly isRequired: boolean;
  readonly isPersonal: boolean;
  readonly description: string;
}

/** The members that a declaration names, with those of its objects, in its order. */
export function membersOf(declaration: Schema, prefix = ''): DeclaredMember[] {
  return readMembers(declaration).flatMap(({ name, schema, isRequired }) => {
    if (!isSchema(schema)) return [];
    const path = prefix + name;
    const member = {
      path,
      kind: kindOf(schema),
      isRequired,
      isPersonal: schema['x-personal'] === true,
      description: typeof schema['description'] === 'string' ? schema['description'] : '',
    };
    return [member, ...membersOf(schema, `${path}.`)];
  });
}

function kindOf({ type, enum: values, format }: Schema): string {
  if (Array.isArray(values)) return 'enum';
  const name = Array.isArray(type) ? type.join(' | ') : String(type ?? 'any');
  return typeof format === 'string' ? `${name} · ${format}` : name;
}
