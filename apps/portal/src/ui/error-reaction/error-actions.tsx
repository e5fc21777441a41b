import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Suspense, type ReactNode } from 'react';
import type { ClientError } from '../../api/portal-error-of.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { openPalette } from '../palette-store.ts';
import { askForSignIn } from '../../session/sign-in-request.ts';
import { signOutEverywhere } from '../../session/sign-out.ts';
import { copyText } from '../copy-text.ts';
import { navigateTo } from '../navigate-to.ts';
import { errorDetails } from './error-details.ts';
import { reactionTo, type ErrorAction } from './error-reactions.ts';
import type { ErrorSubject } from './error-texts.ts';
import { whyRefused } from './why-refused.ts';

export interface ErrorActionsProps {
  readonly error: ClientError;
  readonly subject: ErrorSubject | undefined;
  readonly onRetry: (() => void) | undefined;
  readonly children?: ReactNode;
}

/** The buttons of a reaction: those of the screen first, then the general ones that apply. */
export function ErrorActions({ error, subject, onRetry, children }: ErrorActionsProps): ReactNode {
  const t = useT();
  const shown = reactionTo(error).actions.filter(
    (action) => action !== 'retry' || onRetry !== undefined || error.unreadable,
  );
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {children}
      {error.name === 'noPermission' ? <WhyRefused error={error} subject={subject} /> : null}
      {shown.map((action) => (
        <Button
          key={action}
          {...(action === 'copy-details' ? { iconName: 'copy' as const } : {})}
          onClick={() => perform(action, { error, subject, onRetry, t })}
        >
          {labelOf(action, error, t)}
        </Button>
      ))}
    </SpaceBetween>
  );
}

function WhyRefused({ error, subject }: Pick<ErrorActionsProps, 'error' | 'subject'>): ReactNode {
  const { permission, deviceId, reason } = error.facts;
  const isRule = !reactionTo(error).actions.includes('request-access');
  if (typeof permission !== 'string' || permission === '') return null;
  // Another rule rejected it, with its own text, such as a missing approval or another operator.
  if (isRule || (typeof reason === 'string' && reason !== 'not-permitted')) return null;
  const known = typeof deviceId === 'string' ? deviceId : null;
  return (
    <Suspense fallback={null}>{whyRefused({ permission, deviceId: known, subject })}</Suspense>
  );
}

function labelOf(action: ErrorAction, error: ClientError, t: Translate): string {
  return action === 'retry' && error.unreadable
    ? t('app.error.action.reload')
    : t(`app.error.action.${action}`);
}

interface Surroundings {
  readonly error: ClientError;
  readonly subject: ErrorSubject | undefined;
  readonly onRetry: (() => void) | undefined;
  readonly t: Translate;
}

function perform(action: ErrorAction, { error, subject, onRetry, t }: Surroundings): void {
  const actions: Record<ErrorAction, () => void> = {
    retry: () => (error.unreadable ? location.reload() : onRetry?.()),
    'copy-details': () =>
      copyText(errorDetails(error, { url: location.href, atMs: Date.now() }), t),
    'request-access': () => copyText(accessRequest(error, t), t),
    'go-back': () => history.back(),
    'go-home': () => navigateTo('/'),
    'sign-in': () => askForSignIn(),
    'sign-out': () => void signOutEverywhere(),
    search: () => openPalette(subject?.id ?? ''),
    catalog: () => navigateTo('/documents'),
    devices: () => navigateTo('/devices'),
  };
  actions[action]();
}

function accessRequest(error: ClientError, t: Translate): string {
  return t('app.error.accessRequest', {
    permission: String(error.facts['permission'] ?? '-'),
    url: location.href,
  });
}
