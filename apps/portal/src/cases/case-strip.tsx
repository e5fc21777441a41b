import { lazy, Suspense, type ReactNode } from 'react';
import { loadAllWords } from '../i18n/language-store.ts';
import { activeCaseId } from './active-case-id.ts';
import { useCaseDialog } from './case-dialog-store.ts';
import { useFollowedActiveCase } from './use-active-case.ts';

const CaseBar = lazy(async () => {
  const [module] = await Promise.all([import('./case-bar.tsx'), loadAllWords()]);
  return { default: module.CaseBar };
});
const CaseDialogs = lazy(async () => {
  const [module] = await Promise.all([import('./case-dialogs.tsx'), loadAllWords()]);
  return { default: module.CaseDialogs };
});

/** Space below the top bar for the case bar, reserved from the first paint if a case is active. */
export function CaseStrip(): ReactNode {
  const active = useFollowedActiveCase();
  const isExpected = active === undefined ? activeCaseId() !== null : active !== null;
  if (!isExpected) return null;
  const place = <div className="dp-case-place" />;
  return <Suspense fallback={place}>{active ? <CaseBar active={active} /> : place}</Suspense>;
}

/** The case dialogs of every page. */
export function CaseDialogLayer(): ReactNode {
  const asked = useCaseDialog();
  return <Suspense fallback={null}>{asked === null ? null : <CaseDialogs />}</Suspense>;
}
