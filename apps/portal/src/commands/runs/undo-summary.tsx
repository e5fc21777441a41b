import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { UndoOffer } from '@deviceportal/contract/run-undo';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { Time } from '../../ui/time/time.tsx';
import { commandHref } from '../command-href.ts';
import { ConsequenceBadge } from '../consequence-badge.tsx';
import { ParameterValues } from '../form/parameter-values.tsx';
import { TargetReach } from '../target/target-reach.tsx';
import { documentOf } from './run-href.ts';
import type { UndoState } from './use-undo-state.ts';

export interface UndoSummaryProps {
  readonly offer: UndoOffer;
  readonly state: UndoState;
}

/** The document, devices, and values of the undo. */
export function UndoSummary({ offer, state }: UndoSummaryProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const names = undoneNames(offer);
  const more = offer.count > names.length ? ' …' : '';
  return (
    <Container header={<Header variant="h2">{t('commands.undo.title')}</Header>}>
      <SpaceBetween size="m">
        <div className="dp-command-chip">
          <PortalLink href={`/documents/${offer.documentName}?v=${offer.documentVersion}`}>
            {offer.documentName}:{offer.documentVersion}
          </PortalLink>
          <ConsequenceBadge consequence={offer.consequence} />
          <PortalLink href={resultHref(offer, offer.runId)}>{t('commands.undo.open')}</PortalLink>
        </div>
        {offer.hindrance === null ? (
          <Box>
            {t('commands.undo.reaches', {
              count: offer.count,
              names: `${format.list(names)}${more}`,
            })}
          </Box>
        ) : (
          <Alert type="info">{t(`commands.undo.${offer.hindrance}`)}</Alert>
        )}
        {state.preview.data === undefined || offer.count === 1 ? null : (
          <TargetReach preview={state.preview.data} />
        )}
        <UndoneBy offer={offer} />
        <Box color="text-body-secondary">{t('commands.undo.sameValues')}</Box>
        <ParameterValues documentName={offer.documentName} parameters={offer.parameters} />
      </SpaceBetween>
    </Container>
  );
}

/** The names of the devices in the offer. */
export const undoneNames = (offer: UndoOffer): string[] =>
  offer.sample.map(({ serialNumber, name }) => serialNumber ?? name);

const resultHref = (offer: UndoOffer, run: string): string =>
  commandHref(offer.command, { run, document: documentOf(offer) });

function UndoneBy({ offer }: { readonly offer: UndoOffer }): ReactNode {
  const t = useT();
  if (offer.undoneBy.length === 0) return null;
  return (
    <ul className="dp-command-list">
      {offer.undoneBy.map(({ runId, by, at }) => (
        <li key={runId}>
          <PortalLink href={resultHref(offer, runId)}>
            {t('commands.undo.by', { user: by })}
          </PortalLink>{' '}
          <Time at={at} />
        </li>
      ))}
    </ul>
  );
}
