import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { ScheduleToSign } from '@deviceportal/contract/schedules';
import { GrantEndNote } from '../../access/users/grant-end-note.tsx';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { KeyValue } from '../../ui/key-value.tsx';
import { ParameterValues } from '../form/parameter-values.tsx';
import { sampleWords } from '../form/sample-words.ts';

/** Everything that the signature of a schedule covers, and the devices that currently match. */
export function ScheduleToSignFacts({ shown }: { readonly shown: ScheduleToSign }): ReactNode {
  const t = useT();
  const format = useFormat();
  const { document, devices, times, frozenCount, maxDevices, bond } = shown;
  const { count, sample } = devices;
  const names = sample.map(({ serialNumber, name }) => serialNumber ?? name);
  return (
    <SpaceBetween size="s">
      <KeyValue
        columns={2}
        items={[
          { label: t('commands.columns.command'), value: shown.command },
          {
            label: t('commands.document.title'),
            value: <SignedDocument {...document} />,
          },
          {
            label: t('commands.target.title'),
            value: (
              <>
                {frozenCount === null
                  ? t('commands.schedules.limit', { limit: maxDevices })
                  : t('commands.target.count', { count: frozenCount })}
                {shown.filter === null ? null : (
                  <>
                    <br />
                    <FilterText filter={shown.filter} />
                  </>
                )}
              </>
            ),
          },
          {
            label: t('commands.schedules.devicesNow'),
            value: (
              <>
                {t('commands.target.count', { count })}
                <Box color="text-body-secondary" fontSize="body-s">
                  {sampleWords(names, count, { t, format })}
                </Box>
              </>
            ),
          },
          { label: t('commands.options.concurrency'), value: shown.maxConcurrency },
          { label: t('commands.options.errors'), value: shown.maxErrors },
          {
            label: t('commands.options.timeout'),
            value: format.duration(shown.timeoutSeconds * 1_000),
          },
          {
            label: t('commands.schedule.kind'),
            value:
              times.kind === 'cron'
                ? `${times.cron} (${times.timeZone})`
                : format.absolute(Date.parse(times.at)),
          },
          {
            label: t('commands.schedule.missed'),
            value: t(`commands.schedule.missed.${shown.missed}`),
          },
          { label: t('commands.options.comment'), value: shown.comment },
          { label: t('commands.schedules.createdBy'), value: shown.createdBy },
          ...(bond === null
            ? []
            : [{ label: t('commands.schedules.ends'), value: <GrantEndNote bond={bond} /> }]),
        ]}
      />
      <ParameterValues documentName={shown.document.name} parameters={shown.parameters} />
    </SpaceBetween>
  );
}

/** Only parts of the filter that limit the devices. */
function FilterText({ filter }: { readonly filter: Readonly<Record<string, unknown>> }): ReactNode {
  const t = useT();
  const { operation, ...conditions } = filter;
  const parts = Object.entries(conditions).filter(([, value]) => !isEmpty(value));
  if (parts.length === 0) return t('commands.schedules.allDevices');
  const text = [...parts, ['operation', operation] as const]
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ');
  return <code className="dp-command-value">{text}</code>;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);

const SignedDocument = ({ name, version, sha256 }: ScheduleToSign['document']): ReactNode => (
  <>
    {`${name}:${String(version)}`}
    <br />
    <code className="dp-command-value">{sha256}</code>
  </>
);
