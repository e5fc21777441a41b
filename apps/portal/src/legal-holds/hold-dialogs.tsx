import type { ReactNode } from 'react';
import type { LegalHoldRow } from '@deviceportal/contract/legal-holds';
import { ApproveReleaseDialog } from './approve-release-dialog.tsx';
import type { HoldAct } from './hold-columns.tsx';
import { RequestReleaseDialog } from './request-release-dialog.tsx';
import { SetHoldDialog } from './set-hold-dialog.tsx';

/** The dialog that is open, if any. */
export function HoldDialogs({
  isSetting,
  chosen,
  onDone,
  onClose,
}: {
  readonly isSetting: boolean;
  readonly chosen: { readonly act: HoldAct; readonly hold: LegalHoldRow } | undefined;
  readonly onDone: (words: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  if (isSetting) return <SetHoldDialog onDone={onDone} onClose={onClose} />;
  if (chosen?.act === 'request') {
    return <RequestReleaseDialog hold={chosen.hold} onDone={onDone} onClose={onClose} />;
  }
  if (chosen?.act === 'approve') {
    return <ApproveReleaseDialog hold={chosen.hold} onDone={onDone} onClose={onClose} />;
  }
  return null;
}
