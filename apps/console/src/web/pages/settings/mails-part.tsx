import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../api/call.ts';
import { mailQuery } from '../../api/session.ts';
import { useList } from '../../api/use-call.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { ListPanel } from '../../components/data-table.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { EmptyState, PageState } from '../../components/states/page-state.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
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
    <>
      <ListPanel
        title={texts.mails}
        help={texts.mailsHelp}
        list={mails}
        empty={<EmptyState icon="mail" title={texts.noMails} text={texts.noMailsHelp} />}
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
      {shown !== null && (
        <Dialog title={texts.mail} onClose={() => setShown(null)} width={640}>
          <Facts
            facts={[
              [texts.mailTo, shown.to],
              [texts.mailSubject, shown.subject],
            ]}
          />
          {shown.text === null ? (
            <p>{texts.mailLost}</p>
          ) : (
            <CodeBlock label={texts.mail} code={shown.text} isWrapped />
          )}
        </Dialog>
      )}
    </>
  );
}
