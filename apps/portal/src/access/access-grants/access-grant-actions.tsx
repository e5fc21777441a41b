import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AccessGrantRow } from '@deviceportal/contract/access-grants';
import { useApi } from '../../api/use-api.ts';
import { FormDialog } from '../../devices/form-dialog.tsx';
import { useT } from '../../i18n/use-t.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { CreatedWithGrantDialog } from './created-with-grant-dialog.tsx';
import { cannotDecideWords } from './cannot-decide-words.ts';
import { roleName } from '../roles/role-words.ts';
import { useAccessGrantsChanged } from './use-access-grants-changed.ts';
import { useManageDisabledReason } from '../use-manage-disabled-reason.ts';

/** Actions on an access grant: approve, deny, withdraw, or end it. */
export function AccessGrantActions({ row }: { readonly row: AccessGrantRow }): ReactNode {
  if (row.state === 'ended') return <MadeButton row={row} />;
  if (row.state === 'running') {
    return (
      <SpaceBetween direction="horizontal" size="xs">
        <EndButton row={row} />
        <MadeButton row={row} />
      </SpaceBetween>
    );
  }
  if (row.state !== 'waiting') return '-';
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <AnswerButtons row={row} />
      {row.mine ? <EndButton row={row} /> : null}
    </SpaceBetween>
  );
}

function MadeButton({ row }: { readonly row: AccessGrantRow }): ReactNode {
  const t = useT();
  const [open, setOpen] = useState(false);
  const names = { name: row.username, role: roleName(row.roleName, t) };
  return (
    <>
      <Button
        variant="inline-link"
        ariaLabel={t('access.accessGrant.madeOf', names)}
        onClick={() => setOpen(true)}
      >
        {t('access.accessGrant.made')}
      </Button>
      {open ? <CreatedWithGrantDialog accessGrant={row} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function AnswerButtons({ row }: { readonly row: AccessGrantRow }): ReactNode {
  const t = useT();
  const api = useApi();
  const reason = cannotDecideWords(row.obstacle, t);
  const [refusing, setRefusing] = useState(false);
  const onError = useErrorFlash();
  const changed = useAccessGrantsChanged();
  const grant = useMutation(
    api.access.accessGrants.grant.mutationOptions({ onError, onSettled: changed }),
  );
  const names = { name: row.username, role: roleName(row.roleName, t) };
  const why = reason === undefined ? {} : { disabledReason: reason };
  return (
    <>
      <Button
        ariaLabel={t('access.accessGrant.grantOf', names)}
        disabled={reason !== undefined}
        loading={grant.isPending}
        {...why}
        onClick={() => grant.mutate({ id: row.id })}
      >
        {t('access.accessGrant.grant')}
      </Button>
      <Button
        ariaLabel={t('access.accessGrant.refuseOf', names)}
        disabled={reason !== undefined}
        {...why}
        onClick={() => setRefusing(true)}
      >
        {t('access.accessGrant.refuse')}
      </Button>
      {refusing ? <RefuseDialog row={row} onClose={() => setRefusing(false)} /> : null}
    </>
  );
}

function RefuseDialog({
  row,
  onClose,
}: {
  readonly row: AccessGrantRow;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const changed = useAccessGrantsChanged();
  const [note, setNote] = useState('');
  const refuse = useMutation(
    api.access.accessGrants.refuse.mutationOptions({ onSuccess: onClose, onSettled: changed }),
  );
  return (
    <FormDialog
      title={t('access.accessGrant.refuseOf', {
        name: row.username,
        role: roleName(row.roleName, t),
      })}
      submitLabel={t('access.accessGrant.refuse')}
      busy={refuse.isPending}
      error={refuse.error}
      fields={[]}
      onSubmit={() => refuse.mutate({ id: row.id, note })}
      onCancel={onClose}
    >
      <FormField label={t('access.accessGrant.note')} stretch>
        <Input value={note} onChange={({ detail }) => setNote(detail.value.slice(0, 500))} />
      </FormField>
    </FormDialog>
  );
}

function EndButton({ row }: { readonly row: AccessGrantRow }): ReactNode {
  const t = useT();
  const api = useApi();
  const reason = useManageDisabledReason();
  const changed = useAccessGrantsChanged();
  const end = useMutation(
    api.access.accessGrants.end.mutationOptions({ onError: useErrorFlash(), onSettled: changed }),
  );
  const because = row.mine ? undefined : reason;
  const names = { name: row.username, role: roleName(row.roleName, t) };
  return (
    <Button
      ariaLabel={t('access.accessGrant.endOf', names)}
      loading={end.isPending}
      disabled={because !== undefined}
      {...(because === undefined ? {} : { disabledReason: because })}
      onClick={() => end.mutate({ id: row.id })}
    >
      {t(row.state === 'waiting' ? 'access.accessGrant.withdraw' : 'access.accessGrant.endNow')}
    </Button>
  );
}
