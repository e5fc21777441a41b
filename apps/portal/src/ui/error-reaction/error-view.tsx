import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import { portalErrorOf, type ClientError } from '../../api/portal-error-of.ts';
import { useT } from '../../i18n/use-t.ts';
import { useIsConnectionLossReported } from '../../live/connection-store.ts';
import { ErrorActions } from './error-actions.tsx';
import { reactionTo } from './error-reactions.ts';
import { errorTexts, type ErrorSubject } from './error-texts.ts';
import { notFoundIfMalformed } from './not-found-if-malformed.ts';

export interface ErrorViewProps {
  /** The error of a query or mutation. */
  readonly error: unknown;
  readonly subject?: ErrorSubject;
  /** Overrides the place of the reaction, because a part of a page must not replace the page. */
  readonly place?: 'page' | 'alert' | 'inline';
  readonly onRetry?: (() => void) | undefined;
  /** Buttons that only this screen offers. They come first. */
  readonly actions?: ReactNode;
}

/**
 * An error with its texts, request ID, and actions. A lost connection that the page already reports is
 * not a second alert.
 */
export function ErrorView({ error, subject, place, onRetry, actions }: ErrorViewProps): ReactNode {
  const t = useT();
  const known = portalErrorOf(error);
  const clientError = place === undefined ? notFoundIfMalformed(known, subject) : known;
  const reaction = reactionTo(clientError);
  const texts = errorTexts(clientError, t, subject);
  const isReported = useIsConnectionLossReported() && reaction.place === 'banner';
  if (isReported && onRetry !== undefined) {
    return <StatusIndicator type="pending">{t('app.offline.notLoaded')}</StatusIndicator>;
  }
  // One alert for a lost connection is enough.
  const shown = isReported ? 'inline' : (place ?? (reaction.place === 'page' ? 'page' : 'alert'));
  const buttons = (
    <ErrorActions error={clientError} subject={subject} onRetry={onRetry}>
      {actions}
    </ErrorActions>
  );
  if (shown === 'page') {
    return (
      <Box textAlign="center" padding={{ vertical: 'xxxl' }}>
        <SpaceBetween size="m">
          <h1 className="dp-error-title" tabIndex={-1}>
            {texts.title}
          </h1>
          {texts.body === '' ? null : <Box variant="p">{texts.body}</Box>}
          <Reference error={clientError} />
          <Box display="inline-block">{buttons}</Box>
        </SpaceBetween>
      </Box>
    );
  }
  if (shown === 'inline') {
    return (
      <Box color="text-status-error">
        <span role="alert">
          {texts.title} {texts.body}
        </span>
      </Box>
    );
  }
  return (
    <Alert type={reaction.severity} header={texts.title}>
      <SpaceBetween size="xs">
        {texts.body === '' ? null : <div>{texts.body}</div>}
        <Reference error={clientError} />
        {buttons}
      </SpaceBetween>
    </Alert>
  );
}

/** The code and request ID, for support. */
export function Reference({ error }: { readonly error: ClientError }): ReactNode {
  const t = useT();
  return (
    <Box variant="small" color="text-body-secondary">
      {t('app.error.reference', { code: error.code, requestId: error.requestId || 'none' })}
    </Box>
  );
}
