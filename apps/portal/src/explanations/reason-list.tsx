import Box from '@cloudscape-design/components/box';
import Spinner from '@cloudscape-design/components/spinner';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type {
  Explanation,
  ExplainInput,
  Reason,
  ReasonCode,
} from '@deviceportal/contract/explanations';
import { useApi } from '../api/use-api.ts';
import { useRefetchOnChange } from '../api/use-refetch-on-change.ts';
import { useLanguage } from '../i18n/language-store.ts';
import type { MessageKey } from '../i18n/message-key.ts';
import { useT } from '../i18n/use-t.ts';
import { CheckInForecastLine } from '../devices/check-in-forecast-line.tsx';
import type { RemedyRun } from '../commands/in-place/remedy-run.ts';
import { useRunInPlace } from '../commands/in-place/use-run-in-place.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { Time } from '../ui/time/time.tsx';
import { ActButton } from './act-button.tsx';
import { reasonWords } from './reason-words.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import './reason-list.css';

export interface ExplainedProps {
  readonly of: ExplainInput;
  /** Changes with the explained object, and reloads the reasons. */
  readonly revision?: string;
  /** The object is final, so the reasons are loaded once. */
  readonly isSettled?: boolean;
}

/** The reasons for an object, refreshed while they are shown. */
export function useExplanations({ of, revision = '', isSettled = false }: ExplainedProps) {
  const api = useApi();
  const query = useQuery(
    api.explanations.explain.queryOptions(of, {
      refetchInterval: isSettled ? false : refreshMs.work,
      // The action that brings the user back may have removed a cached reason.
      refetchOnMount: 'always',
    }),
  );
  useRefetchOnChange(revision, query.refetch);
  return query;
}

/** Reasons with their age and the action that unblocks. */
export function ReasonList(props: ExplainedProps): ReactNode {
  const t = useT();
  const query = useExplanations(props);
  if (query.data === undefined) {
    return query.error === null ? (
      <Spinner />
    ) : (
      <ErrorView error={query.error} place="inline" onRetry={() => void query.refetch()} />
    );
  }
  if (query.data.every(({ reasons }) => reasons.length === 0)) return t('explanations.none');
  return <Explanations explanations={query.data} />;
}

export function Explanations({
  explanations,
}: {
  readonly explanations: readonly Explanation[];
}): ReactNode {
  const t = useT();
  return explanations.map(({ about, reasons }) => (
    <div key={about?.component ?? ''}>
      {about === null ? null : <Box variant="strong">{t('explanations.part', { ...about })}</Box>}
      <ul className="dp-reasons">
        {reasons.map((reason, index) => (
          // Two reasons can have the same code, such as two excluded steps. Their order is the
          // server’s.
          <ReasonLine key={`${reason.code} ${index}`} reason={reason} />
        ))}
      </ul>
    </div>
  ));
}

/** The label of the end time, for reasons whose text does not include it. */
const untilWords: Readonly<Partial<Record<ReasonCode, MessageKey>>> = {
  'air-blast-your-step': 'explanations.authorizationUntil',
  'version-not-yet-mandatory': 'explanations.mandatoryFrom',
};

function offlineDeviceOf({ code, act }: Reason): string | null {
  const deviceId = act?.on['deviceId'];
  return code === 'device-offline' && typeof deviceId === 'string' ? deviceId : null;
}

/** The command of an action that the user can run on a device; null for other actions. */
function remedyOf(act: Reason['act']): RemedyRun | null {
  if (act === null || act.kind !== 'run-command' || act.lacks !== null) return null;
  const { command, deviceId } = act.on;
  return typeof command === 'string' && typeof deviceId === 'string' ? { command, deviceId } : null;
}

function ReasonLine({ reason }: { readonly reason: Reason }): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { since, until, act } = reason;
  const inPlace = useRunInPlace(remedyOf(act));
  return (
    <li className="dp-reason">
      <div className="dp-reason-fact">
        {reasonWords(reason, { t, language })}
        {offlineDeviceOf(reason) === null ? null : (
          <CheckInForecastLine deviceId={offlineDeviceOf(reason) ?? ''} />
        )}
        <Box variant="small" color="text-body-secondary" display="block">
          {since === null ? null : <Time at={since} style="exact" />}
          {since === null || until === null ? null : ' · '}
          {until === null ? null : (
            <>
              {t(untilWords[reason.code] ?? 'explanations.until')} <Time at={until} style="exact" />
            </>
          )}
        </Box>
      </div>
      {act === null ? null : (
        <div className="dp-reason-act">
          <ActButton act={act} onRun={inPlace?.start} />
        </div>
      )}
      {inPlace?.result ? <div className="dp-reason-result">{inPlace.result}</div> : null}
    </li>
  );
}
