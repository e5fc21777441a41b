import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Spinner from '@cloudscape-design/components/spinner';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AirBlastMoment, AirBlastResult } from '@deviceportal/contract/air-blast';
import { stopReasonWords } from '@deviceportal/contract/air-blast-words';
import { useLanguage } from '../../i18n/language-store.ts';
import type { MessageKey } from '../../i18n/message-key.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { Time } from '../../ui/time/time.tsx';
import '../air-blast.css';

/** All actions on the rollout, oldest first. */
export function Timeline({
  query,
}: {
  readonly query: UseQueryResult<AirBlastResult, unknown>;
}): ReactNode {
  const t = useT();
  return (
    <Container header={<Header variant="h2">{t('airBlast.timeline')}</Header>}>
      {query.isError ? (
        <ErrorView error={query.error} place="inline" onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Spinner />
      ) : (
        <ol className="dp-timeline">
          {query.data.timeline.map((moment, index) => (
            // Two actions can have the same time, and their order never changes.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={`${moment.at} ${index}`}>
              <Moment moment={moment} />
            </li>
          ))}
        </ol>
      )}
    </Container>
  );
}

function Moment({ moment }: { readonly moment: AirBlastMoment }): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { at, type, actor, step, wave, devices, reason } = moment;
  const details = [
    step === null ? '' : t(`airBlast.step.${step}` as MessageKey),
    wave === null ? '' : t('airBlast.waveOf', { wave }),
    devices === null ? '' : t('airBlast.onDevices', { devices }),
    reason === null ? '' : stopReasonWords(reason, language),
  ].filter((detail) => detail !== '');
  return (
    <>
      <span className="dp-timeline-at">
        <Time at={at} style="absolute" />
      </span>
      <strong>{t(`auditTrail.type.${type}` as MessageKey)}</strong>
      <span>{[actor, ...details].join(' · ')}</span>
    </>
  );
}
