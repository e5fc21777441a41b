import Button from '@cloudscape-design/components/button';
import { useMemo } from 'react';
import { useT } from '../../i18n/use-t.ts';
import type { EmptyWords } from '../../ui/table/table-empty.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { useListAddress } from './use-list-address.ts';

/** The empty state, which explains how to add the first device. */
export function useEmptyWords(): EmptyWords {
  const t = useT();
  const { may } = useViewer();
  const { openDialog } = useListAddress();
  const mayManage = may('devices:manage');
  return useMemo(
    () => ({
      title: t('devices.list.empty'),
      body: t(mayManage ? 'devices.list.emptyBody' : 'devices.list.emptyScope'),
      ...(mayManage
        ? { action: <Button onClick={() => openDialog('add')}>{t('devices.add.title')}</Button> }
        : {}),
    }),
    [t, mayManage, openDialog],
  );
}
