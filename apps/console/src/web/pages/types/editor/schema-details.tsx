import type { ReactNode } from 'react';
import { CheckField } from '../../../components/fields/check-field.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { kindTexts, typesTexts } from '../types-texts.ts';
import { DraftField } from './draft-field.tsx';
import {
  allowsNull,
  exactNumber,
  isSchema,
  kindOf,
  limitsOf,
  linesOfValues,
  memberKinds,
  type Schema,
  valuesOfLines,
  withKeyword,
  withKind,
  withNull,
} from './edit-members.ts';
import { parseDeclaration } from './parse-declaration.ts';

interface SchemaDetailsProps {
  readonly schema: unknown;
  readonly onChange: (schema: unknown) => void;
  readonly path: string;
}

/** What a member's row has no column for: its limits, values and annotations. */
export function SchemaDetails({ schema, onChange, path }: SchemaDetailsProps): ReactNode {
  const texts = useTexts(typesTexts);
  const kind = kindOf(schema);
  if (!isSchema(schema) || kind === 'other' || kind === 'map')
    return <JsonField label={texts.jsonOf(path)} value={schema} onChange={onChange} />;
  const { description } = schema;
  return (
    <>
      <TextField
        label={texts.descriptionOf(path)}
        help={texts.memberTextHelp}
        value={typeof description === 'string' ? description : ''}
        onChange={(text) => onChange(withKeyword(schema, 'description', text === '' ? undefined : text))}
      />
      <Limits schema={schema} onChange={onChange} path={path} />
      {kind === 'array' && (
        <Items items={schema['items']} onChange={(items) => onChange({ ...schema, items })} path={path} />
      )}
      <Flags schema={schema} onChange={onChange} />
    </>
  );
}

interface PartProps {
  readonly schema: Schema;
  readonly onChange: (schema: unknown) => void;
  readonly path: string;
}

function Limits({ schema, onChange, path }: PartProps): ReactNode {
  const texts = useTexts(typesTexts);
  const kind = kindOf(schema);
  const limits = limitsOf(kind);
  const { pattern } = schema;
  if (limits.length === 0) return null;
  const hasValues = kind.startsWith('string') || kind.startsWith('integer') || kind === 'number';
  return (
    <div className="grid grid-cols-2 items-start gap-3 lg:grid-cols-3">
      {limits.map((limit) => (
        <DraftField
          key={limit}
          label={texts.limit(limit)}
          value={schema[limit] === undefined ? '' : String(schema[limit])}
          read={(text) => (text === '' ? '' : (exactNumber(text)?.toString() ?? null))}
          onWrite={(text) =>
            onChange(withKeyword(schema, limit, text === '' ? undefined : exactNumber(text)))
          }
          fault={texts.numberFault}
        />
      ))}
      {kind === 'string' && (
        <TextField
          label={texts.pattern}
          isMonospace
          value={typeof pattern === 'string' ? pattern : ''}
          onChange={(text) => onChange(withKeyword(schema, 'pattern', text === '' ? undefined : text))}
        />
      )}
      {hasValues && (
        <DraftField
          label={texts.valuesOf(path)}
          help={texts.valuesHelp}
          rows={3}
          className="col-span-full"
          value={linesOfValues(schema)}
          read={(text) => canonicalLines(text, schema)}
          onWrite={(text) => onChange(withKeyword(schema, 'enum', valuesOfLines(text, schema) ?? undefined))}
          fault={texts.numberFault}
        />
      )}
    </div>
  );
}

function canonicalLines(text: string, schema: Schema): string | null {
  const values = valuesOfLines(text, schema);
  return values === null ? null : linesOfValues({ enum: values });
}

function Items({
  items,
  onChange,
  path,
}: {
  readonly items: unknown;
  readonly onChange: (items: unknown) => void;
  readonly path: string;
}): ReactNode {
  const texts = useTexts(typesTexts);
  const kinds = useTexts(kindTexts);
  const kind = kindOf(items);
  const isPlain = limitsOf(kind).length > 0 && kind !== 'array';
  const choices = memberKinds.filter((each) => each !== 'array' && each !== 'map');
  return (
    <div className="flex flex-col gap-3">
      <SelectField
        label={texts.itemsOf(path)}
        className="w-48"
        value={kind}
        onChange={(value) => onChange(withKind(items, value))}
        choices={[...new Set([...choices, kind])]}
        labelOf={kinds.kind}
      />
      {isPlain && isSchema(items) ? (
        <Limits schema={items} onChange={onChange} path={`${path}[]`} />
      ) : (
        <JsonField label={texts.jsonOf(`${path}[]`)} value={items} onChange={onChange} />
      )}
    </div>
  );
}

function Flags({ schema, onChange }: Omit<PartProps, 'path'>): ReactNode {
  const texts = useTexts(typesTexts);
  const flag = (keyword: string) => ({
    isChecked: schema[keyword] === true,
    onChange: (isOn: boolean) => onChange(withKeyword(schema, keyword, isOn || undefined)),
  });
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-2">
      <CheckField
        label={texts.nullable}
        isChecked={allowsNull(schema)}
        onChange={(isOn) => onChange(withNull(schema, isOn))}
      />
      <CheckField label={texts.deprecatedMember} {...flag('deprecated')} />
      {kindOf(schema) === 'string · date-time' && (
        <CheckField label={texts.occurredAt} help={texts.occurredAtHelp} {...flag('x-occurred-at')} />
      )}
    </div>
  );
}

/** Any part of the document that the form has no fields for. */
function JsonField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}): ReactNode {
  const texts = useTexts(typesTexts);
  const write = (text: string) => {
    const { declaration } = parseDeclaration(text);
    return declaration === null ? null : JSON.stringify(declaration, null, 2);
  };
  return (
    <DraftField
      label={label}
      isMonospace
      rows={5}
      value={JSON.stringify(value, null, 2) ?? ''}
      read={write}
      onWrite={(text) => onChange(parseDeclaration(text).declaration)}
      fault={texts.jsonFault}
    />
  );
}
