import { useCallback } from 'react';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { useT } from '../../i18n/use-t.ts';
import { addFlash } from '../flash-store.ts';
import { Reference } from './error-view.tsx';
import { ErrorActions } from './error-actions.tsx';
import { reactionTo } from './error-reactions.ts';
import { errorTexts, type ErrorSubject } from './error-texts.ts';

/**
 * Shows a notification for a failed mutation: `useMutation({ ...options, onError: showError })`.
 * Ended sessions and lost connections are shown elsewhere.
 */
export function useErrorFlash(subject?: ErrorSubject): (error: unknown) => void {
  const t = useT();
  return useCallback(
    (error) => {
      const clientError = portalErrorOf(error);
      const reaction = reactionTo(clientError);
      if (reaction.place === 'modal' || reaction.place === 'banner') return;
      const texts = errorTexts(clientError, t, subject);
      addFlash({
        type: reaction.severity,
        header: texts.title,
        content: (
          <>
            {texts.body} <Reference error={clientError} />
          </>
        ),
        action: <ErrorActions error={clientError} subject={subject} onRetry={undefined} />,
        dismissible: true,
      });
    },
    [t, subject],
  );
}
