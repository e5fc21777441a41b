import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useId, useState, type ReactNode } from 'react';
import { ALERT_LIMITS, alertDestinationKinds } from '@deviceportal/contract/alerts';
import { useT } from '../i18n/use-t.ts';
import type { DestinationDraft } from './rule-draft.ts';
import { TestDestination } from './test-destination.tsx';

/** Where a rule sends its messages. Saved addresses are masked, and can be tested. */
export function DestinationFields({
  destinations,
  problems,
  onChange,
}: {
  readonly destinations: readonly DestinationDraft[];
  /** By position. */
  readonly problems: ReadonlyMap<number, string>;
  readonly onChange: (destinations: readonly DestinationDraft[]) => void;
}): ReactNode {
  const t = useT();
  const prefix = useId();
  const [made, setMade] = useState(0);
  const isFull = destinations.length >= ALERT_LIMITS.destinations;
  return (
    <SpaceBetween size="m">
      {destinations.length === 0 ? (
        <Box color="text-body-secondary">{t('alerts.form.noDestinations')}</Box>
      ) : null}
      {destinations.map((destination, index) => (
        <DestinationField
          key={destination.key}
          destination={destination}
          problem={problems.get(index)}
          onChange={(value) =>
            onChange(destinations.map((each) => (each === destination ? { ...each, value } : each)))
          }
          onRemove={() => onChange(destinations.filter((each) => each !== destination))}
        />
      ))}
      <ButtonDropdown
        expandToViewport
        disabled={isFull}
        {...(isFull && {
          disabledReason: t('alerts.form.destinationsFull', { most: ALERT_LIMITS.destinations }),
        })}
        items={alertDestinationKinds.map((id) => ({ id, text: t(`alerts.destination.${id}`) }))}
        onItemClick={({ detail }) => {
          const kind = alertDestinationKinds.find((each) => each === detail.id);
          if (kind === undefined) return;
          setMade(made + 1);
          onChange([...destinations, { key: `${prefix}${made}`, kind, value: '' }]);
        }}
      >
        {t('alerts.form.addDestination')}
      </ButtonDropdown>
    </SpaceBetween>
  );
}

function DestinationField({
  destination: { kind, value, kept },
  problem,
  onChange,
  onRemove,
}: {
  readonly destination: DestinationDraft;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const t = useT();
  const name = t(`alerts.destination.${kind}`);
  const remove = (
    <Button
      ariaLabel={t('alerts.form.removeDestination', { kind: name, label: value })}
      onClick={onRemove}
    >
      {t('alerts.form.remove')}
    </Button>
  );
  if (kept !== undefined) {
    return (
      <FormField label={name} secondaryControl={remove}>
        <SpaceBetween size="xs" direction="horizontal" alignItems="center">
          <span className="dp-id">{kept.label}</span>
          <TestDestination destination={kept} />
        </SpaceBetween>
      </FormField>
    );
  }
  return (
    <FormField
      label={name}
      description={t(`alerts.destinationHint.${kind}`)}
      errorText={problem}
      secondaryControl={remove}
    >
      <Input
        value={value}
        autoComplete={false}
        spellcheck={false}
        onChange={({ detail }) => onChange(detail.value.slice(0, 2_000))}
      />
    </FormField>
  );
}
