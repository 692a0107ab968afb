import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { signInTexts } from './sign-in-texts.ts';

interface AuthenticatorSecretProps {
  readonly secret: string;
  readonly qrSvg: string;
}

/** What an authenticator app scans, or a user types into it. */
export function AuthenticatorSecret({ secret, qrSvg }: AuthenticatorSecretProps): ReactNode {
  const texts = useTexts(signInTexts);
  return (
    <div className="flex flex-col items-center gap-2">
      <img
        alt={texts.qr}
        className="size-48 rounded-md bg-[#ffffff] p-2"
        src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`}
      />
      <p className="text-sm text-soft">{texts.enrolManual}</p>
      <div className="flex items-center gap-1">
        <code className="foreign font-mono text-sm">{secret}</code>
        <CopyButton text={secret} />
      </div>
    </div>
  );
}

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

/** Shown once. The user says that they are kept. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps): ReactNode {
  const texts = useTexts(signInTexts);
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h2 className="text-lg font-semibold">{texts.recoveryTitle}</h2>
        <p className="text-soft">{texts.recoveryText}</p>
      </div>
      <div className="flex items-start justify-between rounded-md border p-3">
        <ul aria-label={texts.recoveryTitle} className="grid flex-1 grid-cols-2 gap-1 font-mono text-sm">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyButton text={codes.join('\n')} />
      </div>
      <Button look="primary" onPress={onKept}>
        {texts.recoveryKept}
      </Button>
    </div>
  );
}
