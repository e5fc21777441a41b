import Badge from '@cloudscape-design/components/badge';
import type { UserSession } from '@deviceportal/contract/access';
import type { Translate } from '../../i18n/use-t.ts';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';

/** When and from where a user signed in. @param words the messages of the table: a user's, or one's own */
export const sessionColumns = (
  t: Translate,
  words: 'access.session' | 'profile.sessions',
): TableColumn<UserSession>[] => [
  {
    id: 'signedIn',
    header: t(`${words}.since`),
    cell: ({ signedInAt, current }) => (
      <>
        <Time at={signedInAt} style="absolute" />{' '}
        {current ? <Badge color="blue">{t(`${words}.current`)}</Badge> : null}
      </>
    ),
    rowHeader: true,
    always: true,
    width: 320,
  },
  {
    id: 'address',
    header: t(`${words}.address`),
    cell: ({ address }) => address ?? '-',
    width: 200,
  },
  {
    id: 'ends',
    header: t(`${words}.ends`),
    cell: ({ endsAt }) => <Time at={endsAt} style="absolute" />,
    width: 220,
  },
];
