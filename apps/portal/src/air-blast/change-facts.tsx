import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { ConsequenceBadge } from '../commands/consequence-badge.tsx';
import { ParameterValues } from '../commands/form/parameter-values.tsx';
import { useFormat } from '../i18n/format-values.ts';
import type { MessageKey } from '../i18n/message-key.ts';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { KeyValue } from '../ui/key-value.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { radiusWords } from './radius-words.ts';

/**
 * What the approver of a target set is responsible for: the change, its targets, the strategy, and
 * the canary result.
 */
export function ChangeFacts({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  const format = useFormat();
  const { radius, gate } = run;
  const countries = radius.countries.map(
    ({ country, count }) =>
      `${country === '' ? t('airBlast.noCountry') : format.country(country)} (${format.number(count)})`,
  );
  return (
    <SpaceBetween size="s">
      <KeyValue
        hasLongValues
        items={[
          { label: t('airBlast.change'), value: <Change run={run} /> },
          {
            label: t('airBlast.consequence'),
            value: <ConsequenceBadge consequence={run.consequence} />,
          },
          {
            label: t('airBlast.targetSet'),
            value: <CopyableId value={run.targetSha256} name={t('airBlast.targetSet')} />,
          },
          {
            label: t('airBlast.planHash'),
            value: <CopyableId value={run.planSha256} name={t('airBlast.planHash')} />,
          },
          {
            label: t('airBlast.radius'),
            value: t('airBlast.radiusCountries', {
              radius: radiusWords(t, radius),
              countries: format.list(countries),
            }),
          },
          {
            label: t('airBlast.excluded'),
            value: format.list(
              run.excluded.map(
                ({ reason, count }) =>
                  `${t(`airBlast.reasonOf.${reason}` as MessageKey)}: ${format.number(count)}`,
              ),
            ),
          },
          {
            label: t('airBlast.canaries'),
            value:
              gate === null
                ? null
                : t('airBlast.gate.canary', { value: gate.value, total: gate.total }),
          },
        ]}
      />
      <ChangeParameters run={run} expanded />
    </SpaceBetween>
  );
}

/** The exact version of the document that is sent, or the version of the component. */
function Change({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const href =
    run.component === null
      ? `/documents/${run.documentName}?v=${run.documentVersion}`
      : `/tavs?component=${encodeURIComponent(run.component)}`;
  return <PortalLink href={href}>{run.change}</PortalLink>;
}

/** Parameters of the change. Secret values are masked; parameter store values are shown by name. */
export function ChangeParameters({
  run,
  expanded = false,
}: {
  readonly run: AirBlastDetail;
  readonly expanded?: boolean;
}): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="s">
      {run.storeParameters.length === 0 ? null : (
        <KeyValue
          columns={1}
          items={[{ label: t('airBlast.fromStore'), value: run.storeParameters.join(', ') }]}
        />
      )}
      <ParameterValues
        documentName={run.documentName}
        parameters={run.parameters}
        expanded={expanded}
      />
    </SpaceBetween>
  );
}
