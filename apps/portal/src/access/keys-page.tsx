import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import {
  rotateCommands,
  type InstallationSecretView,
  type SecretsPlaceView,
} from '@deviceportal/contract/installation';
import { useApi } from '../api/use-api.ts';
import { GuideLink } from '../help/guide-link.tsx';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { KeyValue } from '../ui/key-value.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { AccessGate } from './access-gate.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

export const Route = createLazyRoute('/uam/keys')({
  component: () => (
    <AccessGate>
      <KeysPage />
    </AccessGate>
  ),
});

/** Digits that are shown of a fingerprint. The copy button copies all of them. */
const SHOWN_DIGITS = 16;

const keyNames = ['installation-key', 'device-authority', 'audit', 'runs', 'releases'] as const;
type KeyName = (typeof keyNames)[number];
type Key = InstallationSecretView & { readonly name: KeyName };

const isKey = (secret: InstallationSecretView): secret is Key =>
  keyNames.some((name) => name === secret.name);

/** Signing keys of the installation, with their age and the command that rotates them. */
function KeysPage(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.installation.keys.queryOptions(undefined, { refetchInterval: refreshMs.list }),
  );
  const columns = useMemo(
    (): readonly TableColumn<Key>[] => [
      {
        id: 'key',
        header: t('access.keys.key'),
        cell: ({ name }) => (
          <>
            {t(`access.keys.name.${name}`)}
            <Box color="text-body-secondary" fontSize="body-s">
              {t(`access.keys.use.${name}`)}
            </Box>
          </>
        ),
        rowHeader: true,
        always: true,
        minWidth: 180,
      },
      {
        id: 'fingerprint',
        header: t('access.keys.fingerprint'),
        cell: (key) => <Fingerprints of={key} />,
        minWidth: 210,
      },
      {
        id: 'since',
        header: t('access.keys.since'),
        cell: ({ since }) => <Time at={since} style="absolute" />,
        minWidth: 200,
      },
      {
        id: 'rotation',
        header: t('access.keys.rotation'),
        cell: (key) => <Rotation of={key} />,
        minWidth: 450,
      },
    ],
    [t],
  );
  const rows = query.data?.secrets.filter(isKey);
  const behind = query.data?.servers.filter((server) => server.behind.length > 0) ?? [];
  return (
    <SpaceBetween size="l">
      {behind.length === 0 ? null : (
        <Alert type="warning" header={t('access.keys.behind')}>
          {behind.map(({ name }) => name).join(', ')}
        </Alert>
      )}
      <DataTable
        id="installation-keys"
        label={t('app.nav.keys')}
        withoutSettings
        wrapLines
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        query={query}
        empty={{ title: t('access.keys.none') }}
        header={<PageHeader title={t('app.nav.keys')} description={t('access.keys.description')} />}
      />
      {query.data === undefined ? null : <Place of={query.data.place} />}
    </SpaceBetween>
  );
}

/** Where the keys are stored, and where that is set and explained. */
function Place({ of: { kind, name } }: { readonly of: SecretsPlaceView }): ReactNode {
  const t = useT();
  const nameLabel = t(
    kind === 'kms' ? 'access.keys.placeName.kms' : 'access.keys.placeName.secretsmanager',
  );
  return (
    <Container header={<Header variant="h2">{t('access.keys.place')}</Header>}>
      <KeyValue
        columns={name === null ? 3 : 2}
        hasLongValues
        items={[
          { label: t('access.keys.place.kind'), value: t(`access.keys.place.${kind}`) },
          ...(name === null
            ? []
            : [
                {
                  label: nameLabel,
                  value: <CopyableId value={name} name={nameLabel} />,
                },
              ]),
          {
            label: t('access.keys.setting'),
            value: <CopyableId value="DEVICEPORTAL_SECRETS" name={t('access.keys.setting')} />,
          },
          {
            label: t('access.keys.guide'),
            value: <GuideLink name="secrets" />,
          },
        ]}
      />
    </Container>
  );
}

/** Fingerprints of the key in use and of the other accepted keys. */
function Fingerprints({ of }: { readonly of: Key }): ReactNode {
  const t = useT();
  const shown = (value: string): ReactNode => (
    <CopyableId
      value={value}
      shown={value.slice(0, SHOWN_DIGITS)}
      name={t('access.keys.fingerprintOf', { key: t(`access.keys.name.${of.name}`) })}
    />
  );
  return (
    <>
      {shown(of.fingerprint)}
      {of.next === null ? null : (
        <div>
          {t('access.keys.next')} {shown(of.next)}
        </div>
      )}
      {of.earlier.map((earlier) => (
        <div key={earlier}>
          {t('access.keys.earlier')} {shown(earlier)}
        </div>
      ))}
    </>
  );
}

function Rotation({ of: { name, maxAgeDays } }: { readonly of: Key }): ReactNode {
  const t = useT();
  const command = rotateCommands[name];
  if (command === undefined) return t('access.keys.notRotated');
  return (
    <>
      {maxAgeDays === null
        ? t('access.keys.byCommand')
        : t('access.keys.bySchedule', { days: maxAgeDays })}
      <div>
        <CopyableId value={`npm run admin -- ${command}`} name={t('access.keys.command')} />
      </div>
    </>
  );
}
