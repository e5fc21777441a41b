import Badge from '@cloudscape-design/components/badge';
import type { UserSession } from '@deviceportal/contract/access';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';

export interface SessionWords {
  readonly signedIn: string;
  readonly current: string;
  readonly address: string;
  readonly ends: string;
}

/** When and from where a user signed in. */
export const sessionColumns = (words: SessionWords): TableColumn<UserSession>[] => [
  {
    id: 'signedIn',
    header: words.signedIn,
    cell: ({ signedInAt, current }) => (
      <>
        <Time at={signedInAt} style="absolute" />{' '}
        {current ? <Badge color="blue">{words.current}</Badge> : null}
      </>
    ),
    rowHeader: true,
    always: true,
    width: 320,
  },
  {
    id: 'address',
    header: words.address,
    cell: ({ address }) => address ?? '-',
    width: 200,
  },
  {
    id: 'ends',
    header: words.ends,
    cell: ({ endsAt }) => <Time at={endsAt} style="absolute" />,
    width: 220,
  },
];
