import { type ReactNode, useState } from 'react';
import type { Fault } from '../../../api/problem.ts';
import { Badge } from '../../../components/badge.tsx';
import { Button, IconButton } from '../../../components/button.tsx';
import { CheckField } from '../../../components/fields/check-field.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { FaultText } from '../../../components/states/page-state.tsx';
import { Icon } from '../../../look/icon.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { kindTexts, typesTexts } from '../types-texts.ts';
import { DraftField } from './draft-field.tsx';
import {
  freeName,
  isSchema,
  kindOf,
  type Member,
  memberKinds,
  moveMember,
  readMembers,
  type Schema,
  withKeyword,
  withKind,
  writeMembers,
} from './edit-members.ts';
import { SchemaDetails } from './schema-details.tsx';

interface MemberListProps {
  readonly object: Schema;
  readonly onChange: (object: Schema) => void;
  readonly pointer: string;
  readonly faults: readonly Fault[];
  /** The names above, for labels: `position.`. */
  readonly prefix?: string;
}

export function MemberList({ object, onChange, pointer, faults, prefix = '' }: MemberListProps): ReactNode {
  const texts = useTexts(typesTexts);
  const members = readMembers(object);
  const write = (next: typeof members) => onChange(writeMembers(object, next));
  const [newName, setNewName] = useState<string | null>(null);
  const add = () => {
    const name = freeName(members);
    setNewName(name);
    write([...members, { name, schema: { type: 'string' }, isRequired: false }]);
  };
  return (
    <fieldset aria-label={prefix === '' ? texts.members : prefix} className="flex min-w-0 flex-col">
      {members.map((member, index) => (
        <MemberForm
          // A row keeps its open parts when its member is renamed.
          // biome-ignore lint/suspicious/noArrayIndexKey: a member has no other identity than its place
          key={index}
          member={member}
          path={`${prefix}${member.name}`}
          isNew={member.name === newName}
          isTaken={(name) => name !== member.name && members.some((other) => other.name === name)}
          pointer={`${pointer}/properties/${member.name.replaceAll('~', '~0').replaceAll('/', '~1')}`}
          faults={faults}
          onChange={(changed) => write(members.with(index, changed))}
          onRemove={() => write(members.toSpliced(index, 1))}
          onAdd={add}
          onMove={(by) => write(moveMember(members, index, index + by))}
          place={{ isFirst: index === 0, isLast: index === members.length - 1 }}
        />
      ))}
      <Button icon="plus" className="mt-2 self-start" onPress={add}>
        {prefix === '' ? texts.addMember : texts.addMemberTo(prefix.slice(0, -1))}
      </Button>
    </fieldset>
  );
}

interface MemberFormProps {
  readonly member: Member;
  /** With the names of the objects around it. */
  readonly path: string;
  /** Whether the reader has just added it. */
  readonly isNew: boolean;
  readonly pointer: string;
  readonly faults: readonly Fault[];
  readonly isTaken: (name: string) => boolean;
  readonly onChange: (member: Member) => void;
  readonly onRemove: () => void;
  /** Adds a member below all: Enter in a name, so that a list is typed without the mouse. */
  readonly onAdd: () => void;
  readonly onMove: (by: number) => void;
  readonly place: { readonly isFirst: boolean; readonly isLast: boolean };
}

function MemberForm(props: MemberFormProps): ReactNode {
  const { member, path, pointer, onChange, isTaken } = props;
  const texts = useTexts(typesTexts);
  const [isOpen, setOpen] = useState(false);
  const faults = props.faults.filter(
    ({ location }) => location === pointer || location.startsWith(`${pointer}/`),
  );
  const schema = isSchema(member.schema) ? member.schema : {};
  const kinds = useTexts(kindTexts);
  const kind = kindOf(member.schema);
  const writeSchema = (changed: unknown) => onChange({ ...member, schema: changed });
  return (
    <div className="flex flex-col border-b py-1">
      <div className="grid grid-cols-[24px_minmax(0,1fr)_110px] items-start gap-x-2 sm:grid-cols-[24px_minmax(110px,1fr)_150px_auto_auto_auto]">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={texts.details(path)}
          className="flex h-7 items-center justify-center rounded-md text-soft hover:bg-raised"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
        </button>
        <DraftField
          label={texts.nameOf(path)}
          isLabelHidden
          isMonospace
          value={member.name}
          isNew={props.isNew}
          read={(name) => (name === '' || isTaken(name) ? null : name)}
          onWrite={(name) => onChange({ ...member, name })}
          onEnter={props.onAdd}
          fault={texts.nameFault}
        />
        <SelectField
          label={texts.kindOf(path)}
          isLabelHidden
          value={kind}
          onChange={(value) => writeSchema(withKind(member.schema, value))}
          choices={[...new Set([...memberKinds, kind])]}
          labelOf={kinds.kind}
        />
        <div className="col-span-full flex flex-wrap items-center gap-x-3 pl-8 sm:contents">
          <Flag
            label={texts.required}
            isOn={member.isRequired}
            onChange={(isRequired) => onChange({ ...member, isRequired })}
          />
          <Flag
            label={texts.personal}
            isOn={schema['x-personal'] === true}
            onChange={(isOn) => writeSchema(withKeyword(schema, 'x-personal', isOn || undefined))}
          />
          <PlaceButtons {...props} />
        </div>
      </div>
      {!isOpen && <Summary schema={schema} />}
      {faults.map(({ location, message }) => (
        <p key={`${location} ${message}`} role="alert" className="pl-8 text-sm text-bad">
          <FaultText location={location.slice(pointer.length + 1) || member.name} message={message} />
        </p>
      ))}
      {isOpen && (
        <div className="my-2 ml-3 flex flex-col gap-3 border-l pl-5">
          <SchemaDetails schema={member.schema} onChange={writeSchema} path={path} />
          {kind === 'object' && (
            <MemberList
              object={schema}
              onChange={writeSchema}
              pointer={pointer}
              faults={props.faults}
              prefix={`${path}.`}
            />
          )}
        </div>
      )}
    </div>
  );
}

function Flag({
  label,
  isOn,
  onChange,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}): ReactNode {
  return (
    <span className="flex h-7 items-center">
      <CheckField label={label} isChecked={isOn} onChange={onChange} />
    </span>
  );
}

function PlaceButtons({ path, onMove, onRemove, place }: MemberFormProps): ReactNode {
  const texts = useTexts(typesTexts);
  return (
    <span className="flex">
      <IconButton
        icon="arrow-up"
        label={texts.moveUp(path)}
        isDisabled={place.isFirst}
        onPress={() => onMove(-1)}
      />
      <IconButton
        icon="arrow-down"
        label={texts.moveDown(path)}
        isDisabled={place.isLast}
        onPress={() => onMove(1)}
      />
      <IconButton icon="trash" label={texts.removeMember(path)} onPress={onRemove} />
    </span>
  );
}

/** What a closed row would hide. */
function Summary({ schema }: { readonly schema: Readonly<Record<string, unknown>> }): ReactNode {
  const texts = useTexts(typesTexts);
  const { description, deprecated } = schema;
  if (typeof description !== 'string' && deprecated !== true) return null;
  return (
    <p className="foreign flex items-center gap-2 truncate pl-8 pt-0.5 text-sm text-soft">
      {deprecated === true && <Badge>{texts.deprecated}</Badge>}
      {typeof description === 'string' && description}
    </p>
  );
}
