import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type {
  StepUpHindrance,
  StepUpMethod,
  StepUpOffer,
  StepUpOffers,
  StepUpPurpose,
} from '@deviceportal/contract/step-up';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { AppForm } from './app-form.tsx';
import { PasskeyForm } from './passkey-form.tsx';
import { SentCodeForm } from './sent-code-form.tsx';
import { endStepUp } from './step-up-store.ts';

/** Asks for a fresh second step. The calls that require it are then repeated. */
export function StepUpDialog({ purpose }: { readonly purpose: StepUpPurpose }): ReactNode {
  const t = useT();
  const api = useApi();
  const offers = useQuery(api.stepUp.getOffers.queryOptions(undefined, { staleTime: 0 }));
  const cancel = (): void => endStepUp('declined');
  return (
    <Modal
      visible
      header={t('stepUp.title')}
      closeAriaLabel={t('app.close')}
      onDismiss={cancel}
      footer={
        <Box float="right">
          <Button variant="link" onClick={cancel}>
            {t('app.cancel')}
          </Button>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box variant="p">{t(`stepUp.purpose.${purpose}`)}</Box>
        {offers.error === null ? null : (
          <ErrorView error={offers.error} place="alert" onRetry={() => void offers.refetch()} />
        )}
        {offers.isPending ? <Spinner /> : null}
        {offers.data === undefined ? null : <Methods {...offers.data} />}
      </SpaceBetween>
    </Modal>
  );
}

function Methods({ methods, hindrances }: StepUpOffers): ReactNode {
  const t = useT();
  const [chosen, setChosen] = useState<StepUpMethod | undefined>();
  const offer = methods.find(({ method }) => method === chosen) ?? methods[0];
  if (offer === undefined) return <NoMethod hindrances={hindrances} />;
  return (
    <SpaceBetween size="m">
      {methods.length === 1 ? null : (
        <RadioGroup
          ariaLabel={t('stepUp.method')}
          value={offer.method}
          items={methods.map(({ method, destination }) => ({
            value: method,
            label: t(`stepUp.method.${method}`, { destination: destination ?? '' }),
          }))}
          onChange={({ detail }) => setChosen(detail.value as StepUpMethod)}
        />
      )}
      <MethodForm key={offer.method} offer={offer} />
    </SpaceBetween>
  );
}

function MethodForm({
  offer: { method, destination },
}: {
  readonly offer: StepUpOffer;
}): ReactNode {
  if (method === 'passkey') return <PasskeyForm />;
  if (method === 'app') return <AppForm />;
  return <SentCodeForm channel={method} destination={destination ?? ''} />;
}

function NoMethod({ hindrances }: Pick<StepUpOffers, 'hindrances'>): ReactNode {
  const t = useT();
  const format = useFormat();
  const textOf = ({ reason, until }: StepUpHindrance): string =>
    t(`stepUp.hindrance.${reason}`, {
      time: until === null ? '' : format.absolute(Date.parse(until)),
    });
  return (
    <Alert type="warning" header={t('stepUp.noMethod')}>
      {hindrances.map((each) => (
        <Box key={each.reason} variant="p">
          {textOf(each)}
        </Box>
      ))}
    </Alert>
  );
}
