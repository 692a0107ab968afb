import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../api/call.ts';
import { mailQuery } from '../../api/session.ts';
import { useList } from '../../api/use-call.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { ListTable } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, PageState } from '../../components/states/page-state.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { settingsTexts } from './settings-texts.ts';

type Mail = RowOf<'GET /v1/outbox'>;

const pollMs = 5_000;

/** The mails that an installation without a mail server keeps, with their codes. */
export function MailsPart(): ReactNode {
  const texts = useTexts(settingsTexts);
  const delivery = useQuery(mailQuery);
  return (
    <PageState
      query={delivery}
      isEmpty={({ staysInOutbox }) => !staysInOutbox}
      empty={<EmptyState icon="mail" title={texts.mailsAreSent} text={texts.mailsAreSentHelp} />}
    >
      {() => <Outbox />}
    </PageState>
  );
}

function Outbox(): ReactNode {
  const texts = useTexts(settingsTexts);
  const formats = useFormats();
  const mails = useList('GET /v1/outbox', undefined, { everyMs: pollMs });
  const [shown, setShown] = useState<Mail | null>(null);
  return (
    <Panel title={texts.mails} isFlush>
      <p className="max-w-4xl px-3 pb-2 text-soft">{texts.mailsHelp}</p>
      <ListTable
        list={mails}
        empty={<EmptyState icon="mail" title={texts.noMails} text={texts.noMailsHelp} />}
        label={texts.mails}
        columns={[
          { title: texts.mailWritten, width: '190px', render: ({ sent }) => formats.time(sent) },
          { title: texts.mailTo, width: 'minmax(200px, 1fr)', render: ({ to }) => to },
          {
            title: texts.mailSubject,
            width: 'minmax(200px, 2fr)',
            render: ({ subject }) => <span className="foreign text-accent">{subject}</span>,
          },
        ]}
        keyOf={({ id }) => id}
        onOpen={setShown}
      />
      <Dialog title={texts.mail} isOpen={shown !== null} onClose={() => setShown(null)} width={640}>
        {shown !== null && <MailText mail={shown} />}
      </Dialog>
    </Panel>
  );
}

function MailText({ mail: { to, subject, text } }: { readonly mail: Mail }): ReactNode {
  const texts = useTexts(settingsTexts);
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
        <dt className="text-soft">{texts.mailTo}</dt>
        <dd className="foreign break-words">{to}</dd>
        <dt className="text-soft">{texts.mailSubject}</dt>
        <dd className="foreign break-words">{subject}</dd>
      </dl>
      {text === null ? <p>{texts.mailLost}</p> : <CodeBlock label={texts.mail} code={text} isWrapped />}
    </>
  );
}
