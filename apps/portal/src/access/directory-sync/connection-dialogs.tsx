import type { ReactNode } from 'react';
import type { NewScimToken, ScimConnectionRow } from '@deviceportal/contract/scim';
import { RevokeConnectionDialog, RotateTokenDialog } from './confirm-connection-dialogs.tsx';
import { ConnectionDialog } from './connection-dialog.tsx';

export type OpenDialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'rotate' | 'revoke'; readonly connection: ScimConnectionRow };

/** The dialog that is open, if any. */
export function ConnectionDialogs({
  open,
  onMade,
  onDone,
  onClose,
}: {
  readonly open: OpenDialog | undefined;
  readonly onMade: (token: NewScimToken, name: string) => void;
  readonly onDone: (words: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  if (open === undefined) return null;
  if (open.kind === 'create') {
    return <ConnectionDialog onMade={onMade} onSaved={onDone} onClose={onClose} />;
  }
  const { connection } = open;
  if (open.kind === 'edit') {
    return (
      <ConnectionDialog
        connection={connection}
        onMade={onMade}
        onSaved={onDone}
        onClose={onClose}
      />
    );
  }
  if (open.kind === 'rotate') {
    return <RotateTokenDialog connection={connection} onMade={onMade} onClose={onClose} />;
  }
  return <RevokeConnectionDialog connection={connection} onDone={onDone} onClose={onClose} />;
}
