import { useEffect, useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { QrCodeState, type OtherSignIn } from '../session/authing/other-sign-in.ts';
import type { AcceptedUser } from './sign-in-flow.ts';

/**
 * The number of codes that are created automatically before the user has to confirm their presence.
 */
const MADE_BY_ITSELF = 5;

export interface QrCodePanelProps {
  readonly other: OtherSignIn;
  readonly onUser: (user: AcceptedUser) => Promise<void>;
  readonly onFailed: (error: unknown) => void;
}

interface Shown {
  readonly state: 'loading' | 'waiting' | 'scanned' | 'done' | 'expired' | 'failed';
  readonly picture?: string;
  readonly nickname?: string;
}

/** Shows a QR code for the phone, and polls its status while it is on screen. */
export function QrCodePanel({ other, onUser, onFailed }: QrCodePanelProps): ReactNode {
  const t = useT();
  const [shown, setShown] = useState<Shown>({ state: 'loading' });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    follow(other, signal, setShown)
      .then(async (end) => {
        if (end === 'again' && round < MADE_BY_ITSELF) setRound(round + 1);
        else if (end === 'again') setShown({ state: 'expired' });
        else if (end !== null) await onUser(end);
      })
      .catch((error: unknown) => {
        if (signal.aborted) return;
        setShown({ state: 'failed' });
        onFailed(error);
      });
    return () => stop.abort();
  }, [other, onUser, onFailed, round]);
  const ended = shown.state === 'expired' || shown.state === 'failed';
  return (
    <div className="si-qr">
      {shown.picture === undefined ? null : (
        <img
          src={shown.picture}
          width="240"
          height="240"
          alt={t('signIn.qr.picture')}
          data-dimmed={shown.state !== 'waiting'}
        />
      )}
      <output className="si-text">
        {t(`signIn.qr.${shown.state}`, { nickname: shown.nickname ?? '' })}
      </output>
      {ended || shown.state === 'scanned' ? (
        <button
          type="button"
          className="si-link"
          onClick={() => {
            setShown({ state: 'loading' });
            setRound(round + 1);
          }}
        >
          {t(ended ? 'signIn.qr.retry' : 'signIn.qr.rescan')}
        </button>
      ) : null}
    </div>
  );
}

/** Creates a code and polls it until a user has signed in or it expires. Null if it was aborted. */
async function follow(
  other: OtherSignIn,
  signal: AbortSignal,
  show: (shown: Shown) => void,
): Promise<AcceptedUser | 'again' | null> {
  const { random, url: picture } = await other.createQrCode(signal);
  if (signal.aborted) return null;
  show({ state: 'waiting', picture });
  for await (const { status, userInfo, ticket, scannedResult } of other.watchQrCode(
    random,
    signal,
  )) {
    if (signal.aborted) return null;
    if (status === QrCodeState.SCANNED) {
      show({ state: 'scanned', picture, nickname: userInfo?.nickname ?? '' });
    }
    if (status === QrCodeState.SUCCESS) {
      show({ state: 'done', picture });
      return other.exchangeQrTicket(ticket ?? '');
    }
    if (status === QrCodeState.CANCELLED || status === QrCodeState.EXPIRED) return 'again';
    if (status === QrCodeState.AUTH_FLOW || status === QrCodeState.ERROR) {
      const { code, message = '', errmsg = message, data } = scannedResult ?? {};
      throw Object.assign(new Error(errmsg), { code, data });
    }
  }
  return null;
}
