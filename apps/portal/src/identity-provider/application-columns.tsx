import Badge from '@cloudscape-design/components/badge';
import type { ReactNode } from 'react';
import type { ProviderApplication } from '@deviceportal/contract/provider-admin';
import { CopyableId } from '../ui/copyable-id.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import type { PaneColumns } from './pane-columns.ts';
import { RowMenu } from './row-menu.tsx';

const acts = ['edit', 'rotate', 'remove'] as const;
export type ApplicationAct = (typeof acts)[number];

/** The open dialog: of an application, or for a new one. */
export type OpenApplication =
  | { readonly act: ApplicationAct; readonly application: ProviderApplication }
  | 'create'
  | undefined;

type Columns = PaneColumns<OpenApplication>;

/** Characters at the end of an ID that are shown. */
const SHOWN_OF_ID = 12;

export function applicationColumns(pane: Columns): TableColumn<ProviderApplication>[] {
  const { t, reason, onOpen } = pane;
  return [
    ...identityColumns(pane),
    ...signInColumns(pane),
    ...optionalColumns(pane),
    {
      id: 'acts',
      header: t('identityProvider.column.acts'),
      cell: (application) => {
        const why =
          reason ?? (application.isOwn ? t('identityProvider.application.ownStays') : undefined);
        const items = acts.map((act) => ({
          id: act,
          text: t(`identityProvider.act.${act}`),
          reason: why,
          onAct: () => onOpen({ act, application }),
        }));
        return (
          <RowMenu label={t('identityProvider.actsOf', { name: application.name })} acts={items} />
        );
      },
      width: 90,
    },
  ];
}

const identityColumns = ({ t }: Columns): TableColumn<ProviderApplication>[] => [
  {
    id: 'name',
    header: t('identityProvider.column.name'),
    cell: ({ name, isOwn }) => (
      <>
        {name} {isOwn ? <Badge>{t('identityProvider.application.own')}</Badge> : null}
      </>
    ),
    rowHeader: true,
    always: true,
    width: 190,
  },
  {
    id: 'id',
    header: t('identityProvider.application.id'),
    cell: ({ appId }) => (
      <CopyableId
        value={appId}
        name={t('identityProvider.application.id')}
        {...(appId.length > SHOWN_OF_ID && { shown: `…${appId.slice(-SHOWN_OF_ID)}` })}
      />
    ),
    width: 170,
  },
];

const signInColumns = ({ t, format }: Columns): TableColumn<ProviderApplication>[] => [
  {
    id: 'redirect',
    header: t('identityProvider.application.redirect'),
    cell: ({ redirectUris }) => lines(redirectUris),
    width: 290,
  },
  {
    id: 'protocols',
    header: t('identityProvider.application.protocols'),
    cell: ({ protocols }) =>
      protocols.length === 0
        ? '-'
        : format.list(protocols.map((each) => t(`identityProvider.protocol.${each}`))),
    width: 170,
  },
  {
    id: 'second-step',
    header: t('identityProvider.application.secondStep'),
    cell: ({ secondStep }) => t(`identityProvider.secondStep.${secondStep}`),
    width: 140,
  },
  {
    id: 'registration',
    header: t('identityProvider.application.registration'),
    cell: ({ registration }) => t(`identityProvider.registration.${registration}`),
    width: 140,
  },
];

const optionalColumns = ({ t, format }: Columns): TableColumn<ProviderApplication>[] => [
  {
    id: 'origins',
    header: t('identityProvider.application.origins'),
    cell: ({ allowedOrigins }) => lines(allowedOrigins),
    optional: true,
    width: 220,
  },
  {
    id: 'keys',
    header: t('identityProvider.keys'),
    cell: ({ accessKeys }) => format.number(accessKeys),
    optional: true,
    numeric: true,
    width: 120,
  },
  {
    id: 'changed',
    header: t('identityProvider.column.changed'),
    cell: ({ modifiedAt }) => <Time at={modifiedAt} />,
    optional: true,
    width: 140,
  },
];

const lines = (addresses: readonly string[]): ReactNode =>
  addresses.length === 0 ? '-' : addresses.map((each) => <div key={each}>{each}</div>);
